import { describe, expect, test } from 'vitest';
import { type GraphNode, placeOf } from '../../../src/service/tech-stack/dependency-graph.js';

/** `a* > b c` is the direct dependency `a`, which needs `b` and `c`. */
function graph(...lines: readonly string[]): ReadonlyMap<string, GraphNode> {
  return new Map(
    lines.map((line) => {
      const [named = '', needed = ''] = line.split(/ ?> ?/);
      const key = named.replace('*', '');
      return [key, { key, direct: named.endsWith('*'), dependencies: needed.split(' ').filter((each) => each !== '') }];
    }),
  );
}

const bounds = { maxPaths: 5, maxPathLength: 5 };

describe('a component in the graph', () => {
  test('has what needs it and what it needs, sorted', () => {
    const place = placeOf(graph('a* > c x', 'b > x', 'c', 'x > d c', 'd'), 'x', bounds);
    expect(place).toMatchObject({ parents: ['a', 'b'], children: ['c', 'd'], lost: 0 });
  });

  test('is reached by the shortest way from each direct dependency, the shortest first', () => {
    const place = placeOf(graph('a* > m', 'b* > m x', 'm > n', 'n > x', 'x'), 'x', bounds);
    expect(place.paths).toEqual([
      ['b', 'x'],
      ['a', 'm', 'n', 'x'],
    ]);
    expect(place.leading).toBe(2);
  });

  test('counts as a way to itself where it is direct', () => {
    expect(placeOf(graph('x*', 'a* > x'), 'x', bounds)).toMatchObject({ paths: [['x'], ['a', 'x']], leading: 2 });
  });

  test('goes through circles, and through itself, once', () => {
    const place = placeOf(graph('a* > b', 'b > c a', 'c > b x', 'x > x c'), 'x', bounds);
    expect(place).toMatchObject({ parents: ['c'], children: ['c'], paths: [['a', 'b', 'c', 'x']] });
  });

  test('counts ways that it does not show', () => {
    const direct = Array.from({ length: 7 }, (_, nth) => `d${nth}* > x`);
    const place = placeOf(graph(...direct, 'x'), 'x', bounds);
    expect([place.paths.length, place.leading, place.parents.length]).toEqual([5, 7, 7]);
    const long = placeOf(graph('a* > b', 'b > c', 'c > d', 'd > e', 'e > x', 'x'), 'x', bounds);
    expect([long.paths, long.leading]).toEqual([[], 1]);
  });

  test('says how many of its dependencies are gone', () => {
    expect(placeOf(graph('x > a gone'), 'x', bounds)).toMatchObject({ children: [], lost: 2 });
  });
});

test('a graph of 60,000 edges is searched without a stack of calls as deep', () => {
  const chain = Array.from({ length: 20_000 }, (_, nth) => `n${nth}${nth === 0 ? '*' : ''} > n${nth + 1} n0 n1`);
  const place = placeOf(graph(...chain, 'n20000'), 'n20000', { maxPaths: 1, maxPathLength: 30_000 });
  expect(place.paths[0]).toHaveLength(20_001);
});
