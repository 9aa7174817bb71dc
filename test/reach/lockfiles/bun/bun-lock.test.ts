import { describe, expect, test } from 'vitest';
import { asksIn, byKey, found, rangesIn, readFrom } from '../reading.js';

describe('bun.lock', () => {
  const lock = `// bun's own
{
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "app", "dependencies": { "a": "^1", "w": "workspace:*", }, "devDependencies": { "d": "1", }, },
    "packages/w": { "name": "w", "optionalDependencies": { "o": "1" } },
  },
  "packages": {
    "a": ["a@1.0.0", "", { "dependencies": { "b": "^2" }, "optionalDependencies": { "f": "1" } }, "sha512-a,]"],
    "a/b": ["b@2.0.0", "", {}, "sha512-b"], /* another, than the rest has */
    "b": ["b@1.0.0", "", { "bin": "x" }, "sha512-b"],
    "d": ["d@1.0.0", "", { "dependencies": { "b": "^1" } }, "sha512-d"],
    "f": ["f@1.0.0", "", { "os": "darwin" }, "sha512-f"],
    "o": ["npm-o@1.0.0", "", {}, "sha512-o"],
    "w": ["w@workspace:packages/w"],
  },
}`;

  test('is read with its comments and trailing commas', async () => {
    const read = await readFrom({ 'bun.lock': lock });
    expect(byKey(read)).toEqual({
      a: { name: 'a', ...found('1.0.0', 'runtime', true, ['a/b', 'f']) },
      'a/b': { name: 'b', ...found('2.0.0', 'runtime', false) },
      b: { name: 'b', ...found('1.0.0', 'development', false) },
      d: { name: 'd', ...found('1.0.0', 'development', true, ['b']) },
      f: { name: 'f', ...found('1.0.0', 'optional', false) },
      o: { name: 'npm-o', ...found('1.0.0', 'optional', true) },
    });
    expect(read.skipped).toEqual([{ reason: 'is a folder of the project', count: 1 }]);
  });

  test('has the ranges of edges and of what each workspace asks for, which may be a copy of its own', async () => {
    const own = lock
      .replace(
        '"optionalDependencies": { "o": "1" }',
        '"optionalDependencies": { "o": "npm:npm-o@1" }, "peerDependencies": { "b": "^3" }',
      )
      .replace('"o": [', '"w/b": ["b@3.1.0", "", {}, "sha512-b"],\n    "o": [')
      .replace(
        '"dependencies": { "b": "^1" } }',
        '"dependencies": { "b": "^1" }, "peerDependencies": { "a": ">=1" } }',
      );
    const read = await readFrom({ 'bun.lock': own });
    expect(rangesIn(read)).toEqual(['a -> a/b: ^2', 'a -> f: 1', 'd -> b: ^1', 'd -> a: >=1']);
    expect(asksIn(read)).toEqual([
      'package.json -> a: ^1',
      'package.json -> d: 1',
      'packages/w/package.json -> w/b: ^3',
      'packages/w/package.json -> o: npm:npm-o@1',
    ]);
    expect(byKey(read)).toMatchObject({ 'w/b': { direct: true, scope: 'runtime' }, b: { direct: false } });
  });

  test('says that a package comes in an archive, and not in which', async () => {
    const bundled = lock.replace('"o": [', '"a/in": ["in@1.0.0", "", { "bundled": true }, ""],\n    "o": [');
    const { packages } = await readFrom({ 'bun.lock': bundled });
    expect(packages.filter(({ bundledIn }) => bundledIn !== undefined)).toMatchObject([
      { key: 'a/in', bundledIn: null },
    ]);
  });

  // 3 where an override has a key with a version.
  test.each([0, 2, 3])('of lockfileVersion %i is read like that of 1', async (version) => {
    const newer = await readFrom({ 'bun.lock': lock.replace('"lockfileVersion": 1', `"lockfileVersion": ${version}`) });
    expect(byKey(newer)).toEqual(byKey(await readFrom({ 'bun.lock': lock })));
  });

  test('a fault keeps its place', async () => {
    await expect(readFrom({ 'bun.lock': lock.replace('"a@1.0.0"', 'a') })).rejects.toThrow(
      'bun.lock: line 9, column 11: is not JSON: expected a value or ]',
    );
    await expect(readFrom({ 'bun.lock': '{"lockfileVersion": 9, "workspaces": {}}' })).rejects.toThrow(
      'expected 0 to 3',
    );
    const comments = '/*'.repeat(500_000);
    await expect(readFrom({ 'bun.lock': comments })).rejects.toThrow('is not JSON');
  });

  test('bun.lockb is refused by name, with what to do', async () => {
    await expect(readFrom({ 'bun.lockb': '#!/usr/bin/env bun' })).rejects.toThrow(
      'bun.lockb: is Bun’s binary lock file, which is not read: run `bun install --save-text-lockfile`, then sync bun.lock',
    );
  });
});
