import { expect, test } from 'vitest';
import { closes } from '../../../src/service/remediation/package-upgrades.js';

const target = (from: string, to: string | null, ...remaining: string[]) =>
  [from, { from, to, status: null, remaining: new Set(remaining) }] as const;

const targets = new Map([target('1.0.0', '1.9.1'), target('2.0.0', '2.3.4', 'GHSA-a'), target('3.0.0', null)]);

test.each<[string, string[], string[], boolean]>([
  ['whose versions all have a safe target', ['1.0.0'], ['GHSA-a'], true],
  ['whose advisories do not affect the targets', ['1.0.0', '2.0.0'], ['GHSA-b'], true],
  ['one of whose advisories affects a target', ['1.0.0', '2.0.0'], ['GHSA-b', 'GHSA-a'], false],
  ['one of whose versions has no target', ['1.0.0', '3.0.0'], ['GHSA-b'], false],
  ['one of whose versions is not upgraded', ['1.0.0', '4.0.0'], ['GHSA-b'], false],
])('an alert %s', (_, versions, advisory_ids, closed) => {
  expect(closes(targets, { versions, advisory_ids })).toBe(closed);
});
