import { expect, test } from 'vitest';
import { ancestorsOf, type StackNode } from '../../../src/service/registries/ancestors.js';

/** A package of npm at 1.0.0 with what it needs. */
const node = (name: string, needs: readonly string[] = [], source = 'lock'): StackNode => ({
  ...{ source, ecosystem: 'npm', name, package_name: name, version: '1.0.0' },
  dependencies: needs.map((each) => `npm ${each} 1.0.0`).join('\n'),
});

const above = async (nodes: readonly StackNode[], ...names: string[]) => {
  const found = await ancestorsOf(nodes, new Set(names.map((name) => `npm ${name} 1.0.0`)));
  return found.map(({ name, source }) => (source === 'lock' ? name : `${source}:${name}`));
};

test('what needs a package comes before what needs that', async () => {
  const nodes = [
    node('far', ['mid']),
    node('mid', ['leaf']),
    node('near', ['leaf', 'x']),
    node('leaf', ['x']),
    node('x'),
  ];
  expect(await above(nodes, 'leaf')).toEqual(['mid', 'near', 'far']);
  expect(await above(nodes, 'x')).toEqual(['near', 'leaf', 'mid', 'far']);
});

test('each is there once, in circles and where several packages are asked for', async () => {
  const nodes = [node('a', ['b', 'c']), node('b', ['a']), node('c'), node('d', ['c'])];
  expect(await above(nodes, 'b', 'c')).toEqual(['a', 'd']);
});

test('a source brings in its own packages alone', async () => {
  const nodes = [node('leaf'), node('top', ['leaf'], 'other'), node('leaf', [], 'other')];
  expect(await above(nodes, 'leaf')).toEqual(['other:top']);
});

test('nothing needs a package that no source has', async () => {
  expect(await above([node('top', ['leaf'])], 'leaf')).toEqual([]);
});
