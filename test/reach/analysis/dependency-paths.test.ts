import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assemble } from '../../../src/reach/analysis/assemble.js';
import { dependencyGraph } from '../../../src/reach/analysis/dependency-graph.js';
import { pathFinder } from '../../../src/reach/analysis/dependency-paths.js';
import { findIntroducers } from '../../../src/reach/analysis/introducers.js';
import { lockfile } from './locked.js';

const purl = (name: string) => `pkg:npm/${name}@1.0.0`;

function wayTo(name: string, packages: Parameters<typeof lockfile>[0]) {
  const found = assemble([lockfile(packages)], []).dependencies.find((each) => each.purl === purl(name));
  if (found === undefined) throw new Error(`${name} is not there`);
  return found;
}

describe('how a package comes in', () => {
  test('the shortest paths first, from the only direct dependency on each', () => {
    const way = wayTo('z', {
      'a@1.0.0': { direct: true, needs: ['b@1.0.0', 'd@1.0.0'] },
      'b@1.0.0': { needs: ['z@1.0.0'] },
      'd@1.0.0': { direct: true, needs: ['e@1.0.0'] },
      'e@1.0.0': { needs: ['f@1.0.0'] },
      'f@1.0.0': { needs: ['z@1.0.0'] },
      'z@1.0.0': {},
    });
    expect(way.paths).toEqual([['a', 'b', 'z'].map(purl), ['d', 'e', 'f', 'z'].map(purl)]);
    expect(way.introduced_by).toEqual([purl('a'), purl('d')]);
    expect(way.truncated).toBe(false);
  });

  test('a direct dependency is its own path, and what else brings it in is told too', () => {
    const way = wayTo('z', {
      'a@1.0.0': { direct: true, needs: ['z@1.0.0'] },
      'z@1.0.0': { direct: true, needs: ['a@1.0.0'] },
    });
    expect(way.paths).toEqual([[purl('z')], [purl('a'), purl('z')]]);
    expect(way.introduced_by).toEqual([purl('a')]);
  });

  test('more than five paths are five, and truncated; copies of one package make one path', () => {
    const many = Array.from({ length: 8 }, (_, i) => [`m${i}@1.0.0`, { direct: true, needs: ['z@1.0.0'] }] as const);
    const way = wayTo('z', { ...Object.fromEntries(many), 'z@1.0.0': {} });
    expect(way.paths).toHaveLength(5);
    expect(way.introduced_by).toHaveLength(8);
    expect(way.truncated).toBe(true);
    const copies = Array.from({ length: 3 }, (_, i) => ({ key: `x${i}/node_modules/z`, name: 'z', version: '1.0.0' }));
    const lock = lockfile({
      'a@1.0.0': { direct: true, needs: copies.map(({ key }) => key) },
      ...Object.fromEntries(copies.map((copy) => [`${copy.key}@`, copy])),
    });
    const [, z] = assemble([lock], []).dependencies;
    expect(z).toMatchObject({ purl: purl('z'), paths: [[purl('a'), purl('z')]], truncated: false });
  });

  test('no two hundred introducers are passed over in silence', () => {
    const many = Array.from({ length: 300 }, (_, i) => [`m${i}@1.0.0`, { direct: true, needs: ['y@1.0.0'] }] as const);
    const packages = { ...Object.fromEntries(many), 'y@1.0.0': { needs: ['z@1.0.0'] }, 'z@1.0.0': {} };
    for (const name of ['y', 'z']) {
      expect(wayTo(name, packages)).toMatchObject({ truncated: true, introduced_by: { length: 200 } });
    }
  });
});

describe('on any graph', () => {
  const size = 7;
  const graphs = fc
    .array(fc.record({ direct: fc.boolean(), needs: fc.array(fc.nat(size - 1), { maxLength: 4 }) }), {
      minLength: size,
      maxLength: size,
    })
    .map((packages) =>
      dependencyGraph([
        lockfile(
          Object.fromEntries(
            packages.map(({ direct, needs }, i) => [`p${i}@1.0.0`, { direct, needs: needs.map((n) => `p${n}@1.0.0`) }]),
          ),
        ),
      ]),
    );

  test('the paths are those of a plain search of all, and the introducers those on any path', () => {
    fc.assert(
      fc.property(graphs, fc.nat(size - 1), (graph, end) => {
        const all: number[][] = [];
        const climb = (path: number[]): void => {
          const node = graph.nodes[path[0] ?? -1];
          if (node?.direct) all.push(path);
          if (node?.direct && path.length > 1) return;
          for (const above of node?.dependents ?? []) if (!path.includes(above)) climb([above, ...path]);
        };
        climb([end]);
        const lengths = all.map(({ length }) => length).sort((a, b) => a - b);
        const { paths } = pathFinder(graph)([end], 5);
        expect(paths.map(({ length }) => length)).toEqual(lengths.slice(0, 5));
        expect(all).toEqual(expect.arrayContaining([...paths]));

        const leadsTo = (from: number): Set<number> => {
          const seen = new Set<number>();
          const waiting = [from];
          for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
            for (const target of graph.nodes[at]?.targets ?? []) {
              if (!seen.has(target)) waiting.push(target);
              seen.add(target);
            }
          }
          return seen;
        };
        const starts = [...graph.nodes.keys()].filter(
          (at) => graph.nodes[at]?.direct && leadsTo(at).has(end) && at !== end,
        );
        expect(findIntroducers(graph, 100).of(end)).toEqual(starts);
      }),
      { numRuns: 500 },
    );
  });

  test('of 4,000 packages that all depend on each other’s neighbours, all is found', () => {
    const count = 4_000;
    const packages = Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `p${i}@1.0.0`,
        { direct: i % 2 === 0, needs: Array.from({ length: 40 }, (_, n) => `p${(i * 7 + n * 31 + 1) % count}@1.0.0`) },
      ]),
    );
    const { dependencies } = assemble([lockfile(packages)], []);
    expect(dependencies).toHaveLength(count);
  });

  test('a chain of 100,000 packages overflows no stack and makes no path longer than a report takes', () => {
    const count = 100_000;
    const packages = Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`p${i}@1.0.0`, { direct: i === 0, needs: [`p${i + 1}@1.0.0`] }]),
    );
    const { dependencies } = assemble([lockfile(packages)], []);
    const longest = Math.max(...dependencies.map(({ paths }) => Math.max(0, ...paths.map(({ length }) => length))));
    expect(longest).toBe(64);
  });
});
