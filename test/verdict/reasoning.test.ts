import { describe, expect, test } from 'vitest';
import type { StoredEvidence, UsageEvidence } from '../../src/verdict/evidence.js';
import { effectivePriority } from '../../src/verdict/formula.js';
import { priorityInputs } from '../../src/verdict/machine-verdict.js';
import { reasoning } from '../../src/verdict/reasoning.js';

const usage: UsageEvidence = {
  usage: 'imported',
  confidence: 'high',
  vulnerableSymbols: [],
  sites: [{ file: 'src/a.ts', line: 12, column: 1, symbols: ['merge'] }],
  siteCount: 4,
  paths: [],
};

const evidence: StoredEvidence = {
  versions: ['4.17.11'],
  usage,
  exploit: {
    severity: 'critical',
    cvss: { version: '3.1', score: 9.1, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:H' },
    attackVector: 'N',
    epss: { probability: 0.0341, percentile: 0.86979, date: '2025-08-15', model: 'v2025.03.14' },
    kev: null,
  },
  exposure: 'internet',
};

function explain(changed: Partial<StoredEvidence>, kevCatalogue: string | null = '2025-08-25'): string {
  const full = { ...evidence, ...changed };
  const sources = { analyzer: 'reach 0.1.0', reportedAt: new Date('2025-08-16T00:00:00Z'), kevCatalogue };
  return reasoning('lodash', full, sources, effectivePriority(priorityInputs(full)));
}

test('tells usage, exploitation, exposure and the sum, with sources and dates', () => {
  expect(explain({})).toBe(
    '`lodash` 4.17.11 is imported in `src/a.ts:12` and 3 more places. ' +
      'CVSS 9.1; EPSS 3.4 % (87th percentile, 2025-08-15); not in KEV (2025-08-25); network attack vector. ' +
      'The project is declared internet-facing. ' +
      'EffectivePriority 62.2 = 73.1 risk x 0.85 usage x 1.00 exposure (ep-1).',
  );
});

test('names what is unknown as unknown', () => {
  const nothing = { severity: null, cvss: null, attackVector: null, epss: null, kev: null };
  const text = explain({ exposure: 'unknown', exploit: nothing }, null);
  expect(text).toContain('severity unknown; EPSS unknown; KEV unknown; attack vector unknown, taken as network.');
  expect(text).toContain('The project’s exposure is not declared.');
});

test('says which floor a known exploited vulnerability stands on', () => {
  const text = explain({
    usage: { ...usage, usage: 'not_used' },
    exploit: { ...evidence.exploit, kev: { dateAdded: '2022-01-18' } },
  });
  expect(text).toContain('in KEV since 2022-01-18');
  expect(text).toContain('EffectivePriority 20.0, the least for a known exploited vulnerability used like this');
});

describe('the usage sentence', () => {
  test.each([
    [
      { usage: 'called', vulnerableSymbols: ['template'], siteCount: 2 },
      'the vulnerable `template` is referenced in `src/a.ts:12` and 1 more place.',
    ],
    [{ usage: 'called', siteCount: 1 }, 'code that an entry point reaches imports it in `src/a.ts:12`.'],
    [
      { usage: 'transitive_only', paths: [['pkg:npm/grunt@1.0.0', 'pkg:npm/lodash@4.17.11']], sites: [] },
      'is not imported directly; `pkg:npm/grunt@1.0.0` brings it in.',
    ],
    [{ usage: 'transitive_only', confidence: 'low', sites: [] }, 'how it is brought in is unknown (low confidence).'],
    [{ usage: 'dev_only', siteCount: 1 }, 'is used by development tooling or types alone in `src/a.ts:12`.'],
    [
      { usage: 'not_used', sites: [] },
      'reach 0.1.0 found no import or mention of it, and nothing in use that brings it in.',
    ],
  ] as const)('%j', (changed, expected) => {
    expect(explain({ usage: { ...usage, ...changed } })).toContain(expected);
  });
});
