import { expect, test } from 'vitest';
import { neededNames } from '../../../src/service/registries/needed-names.js';
import { known } from '../remediation/published.js';

const listed = known({
  web: { '1.0.0': { old: '^1.0.0' }, '1.9.0': { fresh: '^1.0.0' }, '2.0.0': { other: '^1.0.0', old: '^1.0.0' } },
  fresh: { '1.0.0': { deep: '^1.0.0' } },
  deep: { '1.0.0': { fresh: '^1.0.0' } },
});
const load = () => Promise.resolve(listed);
const web = { ecosystem: 'npm', package_name: 'web', name: 'web', version: '1.0.0' } as const;

test('the newest releases, of all and of the installed major, name what an upgrade brings in, to the end', async () => {
  const names = await neededNames(load, [web], new Set(['npm web', 'npm old']), 100);
  expect(names.map(({ name }) => name).toSorted()).toEqual(['deep', 'fresh', 'other']);
});

test('names end at the limit', async () => {
  expect(await neededNames(load, [web], new Set(), 2)).toHaveLength(2);
  expect(await neededNames(load, [web], new Set(), 0)).toEqual([]);
});
