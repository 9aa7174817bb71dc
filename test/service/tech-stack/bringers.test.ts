import { expect, test } from 'vitest';
import { nearestDirect } from '../../../src/service/tech-stack/bringers.js';

type Node = Parameters<typeof nearestDirect>[0][number];

/** A package of npm at 1.0.0 with what it needs. */
const node = (name: string, direct: boolean | null, needs: readonly string[] = [], source = 'lock'): Node => ({
  ...{ source, ecosystem: 'npm', name, package_name: name, version: '1.0.0', direct },
  dependencies: needs.map((each) => `npm ${each} 1.0.0`).join('\n'),
});

const bringerOf = (nodes: readonly Node[], name: string) => nearestDirect(nodes).get(`npm ${name} 1.0.0`);

test('the nearest direct dependency brings a package in, of equally near ones the first', () => {
  const nodes = [
    node('a', true, ['far']),
    node('b', true, ['leaf', 'both']),
    node('c', true, ['both']),
    node('far', false, ['leaf']),
    node('leaf', false),
    node('both', false),
  ];
  expect(bringerOf(nodes, 'leaf')).toBe('pkg:npm/b@1.0.0');
  expect(bringerOf(nodes, 'both')).toBe('pkg:npm/b@1.0.0');
  expect(bringerOf(nodes, 'far')).toBe('pkg:npm/a@1.0.0');
  expect(bringerOf(nodes.toReversed(), 'both')).toBe('pkg:npm/b@1.0.0');
});

test('a direct dependency is brought in by itself, also where another needs it', () => {
  expect(bringerOf([node('a', true, ['b']), node('b', true)], 'b')).toBe('itself');
});

test('a ring of packages ends', () => {
  const nodes = [node('a', true, ['b']), node('b', false, ['c']), node('c', false, ['b', 'a'])];
  expect(bringerOf(nodes, 'c')).toBe('pkg:npm/a@1.0.0');
});

test('an edge leads to packages of its own source alone', () => {
  const nodes = [node('a', true, ['b'], 'one'), node('b', false, [], 'two')];
  expect(bringerOf(nodes, 'b')).toBeUndefined();
});

test('nothing is known where no source says what is direct', () => {
  expect(bringerOf([node('a', null, ['b']), node('b', null)], 'b')).toBeUndefined();
});
