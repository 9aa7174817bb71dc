import { expect, test } from 'vitest';
import { affectedBeginnings, startOfAffected } from '../../../src/service/remediation/affected-run.js';

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

test('beginnings are not known where they are very many', () => {
  const pairs = Array.from({ length: 25 }, (_, major) => [`${major}.0.0`, `${major}.1.0`] as const);
  expect(affectedBeginnings('npm', [advisory('a', ...pairs)])).toBeNull();
  expect(affectedBeginnings('npm', [advisory('a', ...pairs.slice(1))])).toHaveLength(24);
});

test('a version that is affected by its name alone begins at itself', () => {
  const named = { id: 'a', affected: { ranges: [], versions: ['3.7.2'] } };
  expect(startOfAffected('npm', '3.7.2', [named])).toBe('3.7.2');
});

test('each run of affected versions has a beginning, and each version that is affected by its name', () => {
  const named = { id: 'b', affected: { ranges: [], versions: ['9.9.9'] } };
  expect(affectedBeginnings('npm', [advisory('a', ['0', '1.2.0'], ['2.0.0', '2.3.0']), named])).toEqual([
    ...['0.0.0', '2.0.0', '9.9.9'],
  ]);
});
