import { expect, test } from 'vitest';
import { shortestPaths } from '../../../src/service/alert-details/dependency-paths.js';
import type { GraphNode } from '../../../src/service/tech-stack/bringers.js';

/** A package of npm, in version 1; `>` before its name: a direct one. */
function node(name: string, needs: readonly string[] = [], source = 'lock'): GraphNode {
  const plain = name.replace('>', '');
  return {
    ...{ source, ecosystem: 'npm', name: plain, package_name: plain, version: '1', direct: name.startsWith('>') },
    dependencies: needs.map((each) => `npm ${each} 1`).join('\n'),
  };
}

const pathsTo = (target: string, ...nodes: GraphNode[]) =>
  shortestPaths(nodes, ({ package_name }) => package_name === target);
const purls = (...names: string[]) => names.map((name) => `pkg:npm/${name}@1`);

test('a direct dependency needs no way', () => {
  expect(pathsTo('a', node('>a'), node('b'))).toEqual([purls('a')]);
});

test('the shortest ways come first, each from another direct dependency, three at most', () => {
  const graph = [
    node('>long', ['b']),
    node('b', ['c']),
    node('c', ['t']),
    ...['one', 'two', 'three'].map((name) => node(`>${name}`, ['c'])),
    node('>near', ['t', 'c']),
    node('t'),
  ];
  const paths = pathsTo('t', ...graph);
  expect(paths).toHaveLength(3);
  expect(paths?.[0]).toEqual(purls('near', 't'));
  expect(paths?.slice(1)).toEqual([purls('one', 'c', 't'), purls('two', 'c', 't')]);
});

test('a circle is no trap', () => {
  const graph = [node('>a', ['b']), node('b', ['c']), node('c', ['b', 't']), node('t', ['b'])];
  expect(pathsTo('t', ...graph)).toEqual([purls('a', 'b', 'c', 't')]);
});

test('edges stay within their source, and what two sources have alike counts once', () => {
  const web = [node('>a', ['t'], 'web'), node('t', [], 'web')];
  expect(pathsTo('t', ...web, node('>b', ['t'], 'other'), node('c', ['t'], 'web'))).toEqual([purls('a', 't')]);
  const both = [...web, node('>a', ['t'], 'api'), node('t', [], 'api')];
  expect(pathsTo('t', ...both)).toEqual([purls('a', 't')]);
});

test('where nothing direct leads to it, no way is known', () => {
  expect(pathsTo('t', node('t'), node('a', ['t']))).toBe(null);
  expect(pathsTo('t', node('>a'))).toBe(null);
});

test('a way that is too long, and ways whose text is too long together, are left out', () => {
  const chain = Array.from({ length: 20 }, (_, nth) => node(nth === 0 ? '>n0' : `n${nth}`, [`n${nth + 1}`]));
  expect(pathsTo('n16', ...chain, node('n20'))).toBe(null);
  expect(pathsTo('n15', ...chain, node('n20'))?.[0]).toHaveLength(16);
  const wide = ['a', 'b', 'c'].map((name) => node(`>${name.repeat(1_400)}`, ['t']));
  expect(pathsTo('t', ...wide, node('t'))).toHaveLength(2);
});

test('100,000 packages take no time that grows faster than they do', () => {
  const graph = Array.from({ length: 100_000 }, (_, nth) => node(nth === 0 ? '>n0' : `n${nth}`, ['t']));
  expect(pathsTo('t', ...graph, node('t'))).toEqual([purls('n0', 't')]);
});
