import { describe, expect, test } from 'vitest';
import { graphOf, type StackRow } from '../../../src/service/remediation/graph.js';
import { type Moves, replay } from '../../../src/service/remediation/replay.js';
import { createResolver } from '../../../src/service/remediation/resolver.js';
import { known, type Published } from './published.js';

const node = (
  nameAndVersion: string,
  direct: boolean | null,
  needs: Readonly<Record<string, string>> = {},
  bundledIn: string | null = null,
): StackRow => {
  const [name = '', version = ''] = nameAndVersion.split('@');
  const key = (each: string) => `npm ${each.replace('@', ' ')}`;
  return {
    ...{ source: 'lock', ecosystem: 'npm', package_name: name, name, version, direct, tool: null, asked_by: null },
    dependencies: Object.keys(needs).map(key).join('\n'),
    ranges: Object.fromEntries(Object.entries(needs).map(([each, range]) => [key(each), range])),
    bundled_in: bundledIn && key(bundledIn),
  };
};

const in_ = (name: string) => `lock\nnpm ${name}`;
const at = (nameAndVersion: string) => `lock\nnpm ${nameAndVersion.replace('@', ' ')}`;
const nothing: Moves = { refreshed: new Set(), own: new Map(), overrides: new Map() };

/** What is installed after the moves: `name@version`, with a `?` where it is not certain and a `*` where it may be another. */
async function installed(
  rows: readonly StackRow[],
  moves: Partial<Moves>,
  published: Published = {},
): Promise<string[]> {
  const resolver = createResolver(known(published), new Map());
  const { outcome } = await replay(await graphOf(rows), resolver, { ...nothing, ...moves });
  return [...outcome]
    .flatMap(([key, versions]) =>
      [...versions].map(([version, certain]) => {
        const name = key.split(' ').at(-1);
        return `${name}@${version}${certain ? '' : '?'}`;
      }),
    )
    .sort();
}

const to = (version: string) => ({ versions: [version], certain: true });

describe('what is installed after a plan', () => {
  const stack = [
    node('app@1.0.0', true, { 'mid@1.0.0': '^1.0.0', 'shared@1.0.0': '^1.0.0' }),
    node('mid@1.0.0', false, { 'deep@1.0.0': '~1.0.0', 'shared@1.0.0': '^1.0.0' }),
    node('deep@1.0.0', false, { 'mid@1.0.0': '^1.0.0' }),
    node('shared@1.0.0', false),
  ];

  test('is what was there where nothing moves, circles too', async () => {
    expect(await installed(stack, {})).toEqual(['app@1.0.0', 'deep@1.0.0', 'mid@1.0.0', 'shared@1.0.0']);
  });

  test('is uncertain below a new version whose needs are not known', async () => {
    expect(await installed(stack, { own: new Map([[at('app@1.0.0'), to('2.0.0')]]) })).toEqual([
      ...['app@2.0.0', 'deep@1.0.0?', 'mid@1.0.0?', 'shared@1.0.0?'],
    ]);
  });

  test('is what the registry says that a new version needs', async () => {
    const published = {
      app: { '2.0.0': { mid: '^2.0.0' } },
      mid: { '1.0.0': { deep: '~1.0.0', shared: '^1.0.0' }, '2.0.0': {}, '2.1.0': { fresh: '^3.0.0' } },
      fresh: { '3.0.0': {}, '3.1.0': {}, '4.0.0': {} },
    };
    expect(await installed(stack, { own: new Map([[at('app@1.0.0'), to('2.0.0')]]) }, published)).toEqual([
      ...['app@2.0.0', 'fresh@3.1.0', 'mid@2.1.0'],
    ]);
  });

  test('is each version that a new one asks for, under its name and under an alias', async () => {
    const published = {
      app: { '2.0.0': { twice: '^2.0.0\n^1.0.0' } },
      twice: { '1.0.0': {}, '1.1.0': {}, '2.0.0': {} },
    };
    const rows = [node('app@1.0.0', true)];
    expect(await installed(rows, { own: new Map([[at('app@1.0.0'), to('2.0.0')]]) }, published)).toEqual([
      ...['app@2.0.0', 'twice@1.1.0', 'twice@2.0.0'],
    ]);
  });

  test('may be a peer still of what moves, unless the project asks for it itself', async () => {
    const published = { app: { '1.0.0': { deep: '*' }, '2.0.0': {} } };
    const rows = (isDirect: boolean) => [
      node('app@1.0.0', true, { 'peer@1.0.0': '^1.0.0', 'deep@1.0.0': '*' }),
      node('peer@1.0.0', isDirect),
      node('deep@1.0.0', false),
    ];
    const moves = { own: new Map([[at('app@1.0.0'), to('2.0.0')]]) };
    expect(await installed(rows(false), moves, published)).toEqual(['app@2.0.0', 'peer@1.0.0?']);
    expect(await installed(rows(true), moves, published)).toEqual(['app@2.0.0', 'peer@1.0.0']);
  });

  test('may be the locked version still where a new one asks for a range that takes it', async () => {
    const published = { app: { '2.0.0': { shared: '^1.0.0' } }, shared: { '1.0.0': {}, '1.5.0': {} } };
    expect(await installed(stack, { own: new Map([[at('app@1.0.0'), to('2.0.0')]]) }, published)).toEqual([
      ...['app@2.0.0', 'shared@1.0.0?', 'shared@1.5.0?'],
    ]);
    const moves = { own: new Map([[at('app@1.0.0'), to('2.0.0')]]), refreshed: new Set([in_('shared')]) };
    expect(await installed(stack, moves, published)).toEqual(['app@2.0.0', 'shared@1.5.0']);
  });

  test('is the newest inside each range of what is renewed', async () => {
    const published = { deep: { '1.0.0': {}, '1.0.9': {}, '1.1.0': {} } };
    expect(await installed(stack, { refreshed: new Set([in_('deep')]) }, published)).toEqual([
      ...['app@1.0.0', 'deep@1.0.9', 'mid@1.0.0', 'shared@1.0.0'],
    ]);
  });

  test('is not known of what is renewed where the registry was not asked', async () => {
    expect(await installed(stack, { refreshed: new Set([in_('deep')]) })).toContain('deep@1.0.0?');
  });

  test('is what an override names, for the versions that it reaches alone', async () => {
    const override = (start: string | null, all = false) => ({
      overrides: new Map([[in_('shared'), [{ start, to: '1.2.0', all, only: null, certain: true }]]]),
    });
    expect(await installed(stack, override(null))).toContain('shared@1.2.0');
    expect(await installed(stack, override('1.0.1'))).toContain('shared@1.0.0');
    expect(await installed(stack, override('1.0.1', true))).toContain('shared@1.2.0');
    const unsure = new Map([[in_('shared'), [{ start: null, to: '1.2.0', all: false, only: null, certain: false }]]]);
    expect(await installed(stack, { overrides: unsure })).toEqual(
      expect.arrayContaining(['shared@1.0.0?', 'shared@1.2.0?']),
    );
  });

  test('is the old copy in the archive of a package that stays, and nothing of it where that goes', async () => {
    const carrying = [
      node('app@1.0.0', true, { 'tool@1.0.0': '^1.0.0' }),
      node('tool@1.0.0', false, { 'held@1.0.0': '^1.0.0' }),
      node('held@1.0.0', false, {}, 'tool@1.0.0'),
    ];
    const moves = {
      overrides: new Map([[in_('held'), [{ start: null, to: '1.1.0', all: false, only: null, certain: true }]]]),
    };
    expect(await installed(carrying, moves)).toContain('held@1.0.0');
    const published = { app: { '2.0.0': {} } };
    expect(await installed(carrying, { own: new Map([[at('app@1.0.0'), to('2.0.0')]]) }, published)).toEqual([
      'app@2.0.0',
    ]);
  });

  test('is uncertain of what no way leads to, since the source does not know all edges', async () => {
    const rows = [node('app@1.0.0', true), node('lost@1.0.0', false)];
    expect(await installed(rows, {})).toEqual(['app@1.0.0', 'lost@1.0.0?']);
  });

  test('begins at packages that nobody needs where no source says what is direct', async () => {
    const flat = [node('a@1.0.0', null, { 'b@1.0.0': '*' }), node('b@1.0.0', null), node('c@1.0.0', null)];
    expect(await installed(flat, {})).toEqual(['a@1.0.0', 'b@1.0.0', 'c@1.0.0']);
  });
});
