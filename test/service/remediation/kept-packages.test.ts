import { describe, expect, test } from 'vitest';
import {
  belowMoved,
  graphOf,
  keptPackages,
  placeOf,
  type StackNode,
} from '../../../src/service/remediation/kept-packages.js';

const node = (
  name: string,
  direct: boolean | null,
  needs: readonly string[] = [],
  carried: string | null = null,
): StackNode => ({
  ...{ source: 'lock', ecosystem: 'npm', package_name: name, version: '1', direct },
  dependencies: needs.map((each) => `npm ${each} 1`).join('\n'),
  bundled_in: carried && `npm ${carried} 1`,
});

const identity = (name: string) => `npm ${name} 1`;
const moving = (...names: string[]) => new Set(names.map((name) => placeOf('lock', identity(name))));

describe('what is kept', () => {
  const nodes = [
    node('app', true, ['mid', 'shared']),
    node('mid', false, ['deep', 'shared']),
    node('deep', false, ['mid']),
    node('shared', false),
  ];

  test('is what a way leads to over packages that stay', async () => {
    const isKept = await keptPackages(await graphOf(nodes), moving('mid'));
    expect(['app', 'mid', 'deep', 'shared'].filter((name) => isKept('lock', identity(name)))).toEqual([
      'app',
      'shared',
    ]);
  });

  test('is all of a source in which nothing moves, whether its graph is known or not', async () => {
    expect((await keptPackages(null, moving('mid')))('other', identity('deep'))).toBe(true);
    expect((await keptPackages(await graphOf(nodes), new Set()))('lock', identity('deep'))).toBe(true);
  });

  test('is nothing where the graph is too large to be read', async () => {
    expect((await keptPackages(null, moving('mid')))('lock', identity('app'))).toBe(false);
    expect((await belowMoved(null, moving('mid')))('lock', identity('shared'))).toBe(true);
  });

  test('begins at packages that nobody needs where no source says what is direct', async () => {
    const flat = [node('a', null, ['b']), node('b', null), node('c', null)];
    const isKept = await keptPackages(await graphOf(flat), moving('a'));
    expect(['a', 'b', 'c'].filter((name) => isKept('lock', identity(name)))).toEqual(['c']);
  });
});

test('below what moves is all that it leads to', async () => {
  const nodes = [node('a', true, ['b']), node('b', false, ['c']), node('c', false, ['b']), node('d', true)];
  const isBelow = await belowMoved(await graphOf(nodes), moving('a'));
  expect(['a', 'b', 'c', 'd'].filter((name) => isBelow('lock', identity(name)))).toEqual(['b', 'c']);
});

test('a carrier is what another package names as such', async () => {
  const { carriers } = await graphOf([node('npm', true), node('tar', false, [], 'npm')]);
  expect([...carriers]).toEqual([placeOf('lock', identity('npm'))]);
});
