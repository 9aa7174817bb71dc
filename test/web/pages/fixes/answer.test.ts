import { describe, expect, test } from 'vitest';
import { type FixPlan, fixesAnswer } from '../../../../src/web/pages/fixes/answer.js';

const none: FixPlan = {
  refresh: null,
  upgrades: [],
  unnamed: { upgrades: 0, closes: 0 },
  run: [],
  stays_open: { total: 0, worst: [] },
  base_images: { items: [], without_advice: 0, not_asked: 0 },
  proof: { open: 0, closes: 0, may_close: 0, left: 0, not_planned: 0 },
  coverage: { status: 'not_affected', domains: [], feeds: [], known: true, gaps: [] },
};

describe('the answer of the plan', () => {
  test('says how many upgrades close how much, and what stays', () => {
    const proof = { open: 141, closes: 63, may_close: 3, left: 75, not_planned: 2 };
    const stays_open = { total: 76, worst: [] };
    expect(fixesAnswer({ ...none, unnamed: { upgrades: 5, closes: 63 }, proof, stays_open })).toBe(
      '5 upgrades close 63 of 141 open alerts. 3 more may close. 73 stay open. 2 more were not planned.',
    );
    const one = { open: 1, closes: 1, may_close: 0, left: 0, not_planned: 0 };
    expect(fixesAnswer({ ...none, unnamed: { upgrades: 1, closes: 1 }, proof: one })).toBe(
      '1 upgrade closes 1 of 1 open alert.',
    );
  });

  test('begins with what needs no edit', () => {
    const proof = { open: 10, closes: 9, may_close: 0, left: 1, not_planned: 0 };
    const refresh = {
      ...{ packages: ['ws'], more_packages: 0, closes: 8, may_close: 0 },
      ...{ known_exploited: 0, priority: null, cves: [] },
    };
    expect(fixesAnswer({ ...none, refresh, proof })).toBe('A refresh closes 9 of 10 open alerts. 1 stays open.');
    expect(fixesAnswer({ ...none, refresh, proof, unnamed: { upgrades: 2, closes: 1 } })).toBe(
      'A refresh and 2 upgrades close 9 of 10 open alerts. 1 stays open.',
    );
  });

  test('is never a bare nothing', () => {
    expect(fixesAnswer(none)).toBe('No alert is open, so no package needs an upgrade.');
    const unknown = { ...none.coverage, status: 'unknown' as const };
    expect(fixesAnswer({ ...none, coverage: unknown })).toContain('Something was not looked at');
    const proof = { open: 2, closes: 0, may_close: 0, left: 2, not_planned: 0 };
    expect(fixesAnswer({ ...none, proof, stays_open: { total: 2, worst: [] } })).toBe(
      'No upgrade is known that closes any of 2 open alerts.',
    );
  });
});
