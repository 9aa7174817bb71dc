import { describe, expect, test } from 'vitest';
import { assemble } from '../../../src/reach/analysis/assemble.js';
import type { ChainLink, LoadingEvidence } from '../../../src/reach/analysis/loading.js';
import { gap, lockfile, site, use } from './locked.js';

const direct = { direct: true };
const lock = lockfile({
  'express@4.0.0': { ...direct, needs: ['body-parser@1.0.0', 'send@1.0.0'] },
  'body-parser@1.0.0': { needs: ['qs@6.0.0'] },
  'qs@6.0.0': {},
  'send@1.0.0': {},
  'lonely@1.0.0': direct,
});

const installed = (more: Partial<LoadingEvidence> = {}): LoadingEvidence => ({
  kind: 'installed',
  loaded: ['express', 'body-parser', 'qs'].map((name) => ({ ecosystem: 'npm', name, version: null, chain: [] })),
  followed: ['npm'],
  gaps: [],
  ...more,
});

const usages = (
  loading: readonly LoadingEvidence[],
  more: Parameters<typeof assemble>[2] = {},
  uses = [use('express')],
) =>
  Object.fromEntries(
    assemble([lock], uses, { loading, ...more }).dependencies.map(({ purl, usage, confidence }) => [
      purl.slice('pkg:npm/'.length).split('@')[0],
      `${usage} ${confidence}`,
    ]),
  );

describe('installed dependencies that were followed', () => {
  test('say of what is brought in whether it is loaded', () => {
    expect(usages([installed()])).toEqual({
      express: 'reached high',
      'body-parser': 'loaded high',
      qs: 'loaded high',
      send: 'not_loaded high',
      lonely: 'unused high',
    });
  });

  test('do not say it where a gap could hide it, in the project or in a dependency', () => {
    expect(usages([installed()], { gaps: [gap] })).toMatchObject({ send: 'transitive high', lonely: 'unused low' });
    const inside = { ...gap, file: 'node_modules/express/lib/view.js', hides: ['send'] };
    expect(usages([installed({ gaps: [inside] })])).toMatchObject({ send: 'transitive high', lonely: 'unused high' });
  });

  test('nor of what a package brings in that no entry point is known to reach', () => {
    expect(usages([installed()], {}, [use('express', { reached: false })])).toMatchObject({ send: 'not_loaded high' });
    const nothing = installed({ loaded: [] });
    expect(usages([nothing], {}, [use('express', { reached: false })])).toMatchObject({ send: 'transitive high' });
    expect(usages([nothing], {}, [use('express', { kind: 'mention' })])).toMatchObject({ send: 'transitive low' });
  });

  test('are not lowered by a test that imports the package, nor does a test raise it', () => {
    const tested = [use('express'), use('send', { role: 'test' }), use('qs', { typeOnly: true })];
    expect(usages([installed()], {}, tested)).toMatchObject({ qs: 'loaded high', send: 'not_loaded high' });
  });
});

test('a run shows what was loaded, and says nothing of the rest', () => {
  const run = installed({
    kind: 'run',
    followed: [],
    loaded: [{ ecosystem: 'npm', name: 'lonely', version: '9.9.9', chain: [] }],
  });
  expect(usages([run])).toMatchObject({ lonely: 'loaded high', send: 'transitive high' });
});

describe('the chain', () => {
  const own = (file: string, line: number): ChainLink => ({ package: null, file, line });
  const reachedFiles = new Map([
    ['src/main.ts', null],
    ['src/app.ts', { file: 'src/main.ts', line: 3 }],
    ['src/deep/a.ts', { file: 'src/app.ts', line: 7 }],
  ]);
  const chainOf = (name: string, uses: Parameters<typeof assemble>[1], loading: readonly LoadingEvidence[] = []) =>
    assemble([lock], uses, { reachedFiles, loading }).dependencies.find(({ purl }) => purl.includes(name))?.chain;

  test('is the shortest one from an entry point to a file that imports the package', () => {
    const uses = [
      use('express', { file: 'src/deep/a.ts', line: 1 }),
      use('express', { file: 'src/app.ts', line: 9 }),
      use('express', { file: 'src/app.ts', line: 8 }),
      use('express', { file: 'src/main.ts', line: 1, kind: 'mention' }),
      use('express', { file: 'test/a.test.ts', role: 'test', reached: false }),
    ];
    expect(chainOf('express', uses)).toEqual([
      { purl: null, file: 'src/main.ts', line: 3 },
      { purl: null, file: 'src/app.ts', line: 8 },
    ]);
  });

  test('goes on through the files of packages', () => {
    const chain: ChainLink[] = [
      own('src/app.ts', 8),
      { package: { ecosystem: 'npm', name: 'express', version: '4.0.0' }, file: 'lib/express.js', line: 15 },
      { package: { ecosystem: 'npm', name: 'qs', version: '6.0.0' }, file: '../out\\of\u0007.js', line: null },
    ];
    const loading = [installed({ loaded: [{ ecosystem: 'npm', name: 'qs', version: '6.0.0', chain }] })];
    expect(chainOf('qs', [use('express')], loading)).toEqual([
      { purl: null, file: 'src/app.ts', line: 8 },
      { purl: 'pkg:npm/express@4.0.0', file: 'lib/express.js', line: 15 },
      { purl: 'pkg:npm/qs@6.0.0', file: 'out?of?.js', line: null },
    ]);
  });

  test('is absent where no entry point is known, and keeps both ends where it is long', () => {
    expect(chainOf('express', [use('express', { reached: false })])).toBeUndefined();
    const names = Array.from({ length: 100 }, (_, index) => `f${index}.ts`);
    const long = new Map(
      names.map((file, index) => [file, index === 0 ? null : { file: `f${index - 1}.ts`, line: 1 }]),
    );
    const [found] = assemble([lock], [{ ecosystem: 'npm', packageName: 'express', site: site({ file: 'f99.ts' }) }], {
      reachedFiles: long,
    }).dependencies.filter(({ purl }) => purl.includes('express'));
    expect(found?.chain).toHaveLength(32);
    expect([found?.chain?.[0]?.file, found?.chain?.at(-1)?.file]).toEqual(['f0.ts', 'f99.ts']);
  });

  test('ends where files are said to load each other in a ring', () => {
    const ring = new Map([
      ['a.ts', { file: 'b.ts', line: 1 }],
      ['b.ts', { file: 'a.ts', line: 1 }],
    ]);
    const { dependencies } = assemble([lock], [use('express', { file: 'a.ts' })], { reachedFiles: ring });
    expect(dependencies.find(({ purl }) => purl.includes('express'))?.chain).toHaveLength(2);
  });
});
