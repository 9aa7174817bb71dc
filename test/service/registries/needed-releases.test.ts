import { expect, test } from 'vitest';
import { neededReleases } from '../../../src/service/registries/needed-releases.js';
import { known } from '../remediation/published.js';

const published = known({
  web: { '1.0.0': { old: '^1.0.0' }, '2.0.0': { fresh: '^1.0.0', absent: '^1.0.0' } },
  fresh: { '1.0.0': { deep: '^1.0.0' } },
  deep: { '1.0.0': { fresh: '^1.0.0', web: '*' } },
});
const load = () => Promise.resolve(published);
const web = { ecosystem: 'npm', package_name: 'web', name: 'web' } as const;

test('the newest release of each package names the next ones, to the end', async () => {
  const { names, listed } = await neededReleases(load, [web], 100);
  expect(names.map(({ name }) => name)).toEqual(['web', 'fresh', 'absent', 'deep']);
  expect([...listed.keys()]).toEqual(['npm web', 'npm fresh', 'npm deep']);
});

test('names end at the limit', async () => {
  expect((await neededReleases(load, [web], 2)).names).toHaveLength(2);
  expect((await neededReleases(load, [web], 0)).names).toEqual([]);
});
