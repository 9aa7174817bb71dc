import { expect, test } from 'vitest';
import { postureAnswer } from '../../../../src/web/components/posture/answer.js';
import type { ProjectPosture } from '../../../../src/web/components/posture/types.js';

const now = new Date('2026-11-23T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

const none = { red: 0, yellow: 0, green: 0 };

function project(name: string, parts: Partial<ProjectPosture> = {}): ProjectPosture {
  return {
    id: name,
    name,
    exposure: 'internet',
    group: null,
    open: { dependencies: none, code: none, running_app: none, containers: none },
    verdicts: {
      known_exploited: 0,
      likely_exploitable: 0,
      needs_review: 0,
      likely_not_exploitable: 0,
      unanalyzed: 0,
    },
    known_exploited: 0,
    highest_effective_priority: null,
    packages: 12,
    stack_changed_at: daysAgo(1),
    usage_reported_at: null,
    scanned_at: { code: daysAgo(2), running_app: null, containers: null },
    ...parts,
  };
}

const withRed = (count: number) => ({
  open: { dependencies: { ...none, red: count - 1 }, code: { ...none, red: 1 }, running_app: none, containers: none },
});

const answer = (...items: ProjectPosture[]) => postureAnswer({ items, has_more: false }, now);

test('red findings of all domains, in the projects that have some, and the known exploited', () => {
  const shop = project('Shop', { ...withRed(4), known_exploited: 2 });
  const api = project('API', withRed(5));
  expect(answer(shop, api, project('Tools'))).toBe('9 red in 2 projects, 2 known exploited.');
});

test('a single project is named', () => {
  expect(answer(project('Shop', withRed(3)))).toBe('3 red in Shop, none known to be exploited.');
});

test('the oldest of the last scans is named where it is old', () => {
  const scanned_at = { code: daysAgo(9), running_app: null, containers: daysAgo(12) };
  const text = answer(project('web-shop', { ...withRed(1), scanned_at }), project('API'));
  expect(text).toBe('1 red in web-shop, none known to be exploited; images of web-shop were last scanned 12 days ago.');
});

test('where nothing red was found, it says where that was looked for, and of what nothing is known', () => {
  const empty = project('New', {
    packages: 0,
    stack_changed_at: null,
    scanned_at: { code: null, running_app: null, containers: null },
  });
  expect(answer(project('Shop'), empty)).toBe(
    'Nothing red was found in 2 projects, none known to be exploited; nothing is known of New yet.',
  );
  expect(answer(empty)).toBe('Nothing is known of New: there are no packages and no scans yet.');
});

test('of very many projects it speaks of the worst only', () => {
  const text = postureAnswer({ items: [project('Shop', withRed(3))], has_more: true }, now);
  expect(text).toContain('3 red in the 1 worst');
});

test('without a project there is no sentence', () => {
  expect(answer()).toBeNull();
});
