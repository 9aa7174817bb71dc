import { expect, test } from 'vitest';
import { otherRuns, startOfAffected } from '../../../src/service/remediation/affected-run.js';

/** Only advisories say what was published. */
const advice = { seen: [], registry: null, withheld: false, as_of: null };

/** An advisory of one range for each pair of the first affected and the fixed version. */
const advisory = (id: string, ...pairs: (readonly [string, string])[]) => ({
  id,
  affected: {
    ranges: pairs.map(([introduced, fixed]) => ({ type: 'SEMVER' as const, events: [{ introduced }, { fixed }] })),
    versions: [],
  },
});

test('affected versions begin where the first of the advisories that meet begins', () => {
  const known = [
    advisory('a', ['3.0.0', '3.2.0']),
    advisory('b', ['2.5.0', '3.1.0']),
    advisory('c', ['1.0.0', '2.0.0']),
  ];
  expect(startOfAffected('npm', '3.1.5', known)).toBe('2.5.0');
  expect(startOfAffected('npm', '1.4.0', known)).toBe('1.0.0');
  expect(startOfAffected('npm', '3.0.5', [...known, advisory('d', ['0', '2.6.0'])])).toBeNull();
});

test('the other runs are not known where they are very many', () => {
  const pairs = Array.from({ length: 25 }, (_, major) => [`${major}.0.0`, `${major}.1.0`] as const);
  expect(otherRuns('npm', '2.0.5', [advisory('a', ...pairs)], advice)).toBeNull();
  expect(otherRuns('npm', '2.0.5', [advisory('a', ...pairs.slice(1))], advice)).toHaveLength(23);
});

test('a version that is affected by its name alone begins at itself', () => {
  const named = { id: 'a', affected: { ranges: [], versions: ['3.7.2'] } };
  expect(startOfAffected('npm', '3.7.2', [named])).toBe('3.7.2');
});

test('the other runs are those that have a target', () => {
  const known = [advisory('a', ['0', '1.2.0'], ['2.0.0', '2.3.0'], ['3.0.0', '3.1.0'])];
  expect(otherRuns('npm', '2.1.0', known, advice)).toEqual([
    { start: null, to: '1.2.0', status: 'unverified' },
    { start: '3.0.0', to: '3.1.0', status: 'unverified' },
  ]);
  const endless = {
    id: 'b',
    affected: { ranges: [{ type: 'SEMVER' as const, events: [{ introduced: '3.0.0' }] }], versions: [] },
  };
  expect(otherRuns('npm', '2.1.0', [...known, endless], advice)).toEqual([
    { start: null, to: '1.2.0', status: 'unverified' },
  ]);
});
