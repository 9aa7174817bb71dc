import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { walkTree } from '../../../src/reach/analysis/tree.js';
import { createReader } from '../../../src/reach/languages/create-reader.js';
import type { ParsedFile, Reference } from '../../../src/reach/languages/language.js';
import { pythonReader } from '../../../src/reach/languages/python/reader.js';
import { resemblanceFinder } from '../../../src/reach/languages/resembles.js';
import { folderWith } from '../folder.js';
import { analyze } from './analyzing.js';

const python = async (packages: string[], files: Record<string, string>) =>
  (await analyze(pythonReader, 'PyPI', packages, files)).gaps;

describe('an import that no package answers to', () => {
  test('hides the packages whose names resemble it', async () => {
    expect(
      await python(['zebra-qr-9', 'celery'], { 'main.py': 'try:\n  import lion\nexcept ImportError: pass\n' }),
    ).toEqual([]);
    expect(
      await python(['zebra-qr-9', 'celery'], { 'main.py': 'try:\n  import zebraqr.codes\nexcept ImportError: pass\n' }),
    ).toEqual([{ kind: 'unowned_import', file: 'main.py', line: 2, detail: 'zebraqr.codes', hides: ['zebra-qr-9'] }]);
  });

  test('hides nothing in tests', async () => {
    const files = {
      'main.py': 'import os\n',
      'tests/test_other.py': 'import zebraqr\n',
      'tests/test_a.py': 'import zebraqr\n',
    };
    expect(await python(['zebra-qr-9'], files)).toEqual([]);
  });

  test('hides it in all production files where there is no entry point', async () => {
    const files = { 'other.py': 'import zebraqr\n', 'tests/test_a.py': 'import zebraqr\n' };
    expect(await python(['zebra-qr-9'], files)).toMatchObject([{ file: 'other.py', line: 1 }]);
  });
});

test('a computed import of code that an entry point reaches hides any package', async () => {
  const files = { 'main.py': 'import importlib\nimportlib.import_module(name)\n' };
  expect(await python(['celery'], files)).toMatchObject([{ kind: 'unknown_dynamic', file: 'main.py', hides: 'any' }]);
});

test('a file of production that cannot be searched hides any package, one of tests hides none', async () => {
  const folder = folderWith({ 'main.py': '', 'big.py': '', 'tests/big.py': '' });
  for (const path of ['big.py', 'tests/big.py']) truncateSync(join(folder, path), 2 ** 30);
  const known = [{ ecosystem: 'PyPI', name: 'celery', version: '1.0.0' }] as const;
  const { gaps, skipped } = await pythonReader.analyze(await walkTree(folder), known, { entries: [] });
  expect(skipped).toBe(2);
  expect(gaps).toMatchObject([{ kind: 'unread_file', file: 'big.py', hides: 'any' }]);
});

describe('a language', () => {
  const here = { line: 3, column: 1, kind: 'import' } as const;
  const reading = async (parsed: Partial<ParsedFile>, more: { readonly hidden?: null } = {}) => {
    const reader = createReader<ParsedFile>({
      name: 'made up',
      ecosystem: 'crates.io',
      reads: (path) => path.endsWith('.made'),
      roleOf: () => 'prod',
      begin: () => ({
        parse: () => ({ references: [], isBroken: false, entry: 'it starts', ...parsed }),
        connect: async () => ({
          gaps: [{ kind: 'unknown_dynamic', file: 'settings.ini', line: 1, detail: 'a name', hides: ['plugin'] }],
          target: (_, { target }) => ({
            files: [],
            packages: [],
            needsNoPackage: target.startsWith('./'),
            ...(target.startsWith('./') && {
              hidden: { kind: 'unresolved_import' as const, detail: target, hides: 'any' as const },
            }),
            ...more,
          }),
        }),
      }),
    });
    return (await analyze(reader, 'crates.io', ['plugin', 'serde'], { 'a.made': '' })).gaps.filter(
      ({ file }) => file !== 'settings.ini',
    );
  };
  const references: readonly Reference[] = [
    { ...here, target: './gone' },
    { ...here, target: 'serdes' },
    { ...here, target: './types', typeOnly: true },
    { ...here, target: './tested', role: 'test' },
    { ...here, target: 'serdeX', kind: 'mention' },
  ];

  test('says by itself what a target, a file and a manifest hide', async () => {
    expect(await reading({ references, unknownDynamic: 3, gaps: [] })).toEqual([
      { kind: 'unresolved_import', file: 'a.made', line: 3, detail: './gone', hides: 'any' },
      { kind: 'unowned_import', file: 'a.made', line: 3, detail: 'serdes', hides: ['serde'] },
    ]);
    const gap = { kind: 'unknown_dynamic', line: 9, detail: 'load(x)', hides: ['plugin'] } as const;
    expect(await reading({ gaps: [gap], unknownDynamic: 1 })).toEqual([{ ...gap, file: 'a.made' }]);
  });

  test('says that nothing is hidden', async () => {
    expect(await reading({ references }, { hidden: null })).toEqual([]);
  });

  test('has one gap more for all that are beyond the limit', async () => {
    const many = Array.from({ length: 12_000 }, (_, line) => ({ ...here, line: line + 1, target: './gone' }));
    const gaps = await reading({ references: many });
    expect(gaps.length).toBeLessThan(10_002);
    expect(gaps.at(-1)).toMatchObject({ detail: 'and more places than are listed', hides: 'any' });
  });
});

describe('names that resemble each other', () => {
  test.each([
    ['zxingcpp', 'zxing-cpp'],
    ['django_softdelete', 'django-soft-delete'],
    ['yaml', 'js-yaml'],
    ['magic', 'python-magic'],
    ['serial', 'pyserial'],
    ['acme-core', '@acme/core'],
    ['Sentry', 'sentry/sentry-laravel'],
    ['bip39', 'tiny-bip39'],
    ['github.com/acme/yaml.v3', 'gopkg.in/yaml.v3'],
  ])('%s and %s', (imported, packageName) => {
    expect(resemblanceFinder(['other', packageName])(imported)).toEqual([packageName]);
  });

  test.each([
    ['ui', 'build'],
    ['os', 'closure'],
    ['app', 'express'],
    ['@x/y', '@x/z'],
  ])('%s and %s do not', (imported, packageName) => {
    expect(resemblanceFinder([packageName])(imported)).toEqual([]);
  });

  test('after many different imports, any could be meant', () => {
    const find = resemblanceFinder(['a']);
    const answers = Array.from({ length: 2001 }, (_, index) => find(`name${index}`));
    expect(answers.at(1999)).toEqual([]);
    expect(answers.at(2000)).toBe('any');
    expect(find('name0')).toEqual([]);
  });

  test('a hostile name costs no more than another', () => {
    const find = resemblanceFinder(Array.from({ length: 1000 }, (_, index) => `p${index}`));
    expect(find(`${'python-'.repeat(100_000)}x`)).toEqual([]);
  });
});
