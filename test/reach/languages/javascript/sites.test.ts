import { describe, expect, test } from 'vitest';
import { read, siteIn } from './reading.js';

describe('where a package is named', () => {
  test.each([
    ["import a from 'a'", 'import', 1, 15],
    ["'🤨'; import a from 'a'", 'import', 1, 21],
    ["import {\n  b,\n} from 'a'", 'import', 3, 8],
    ["\r\nrequire('a')", 'require', 2, 9],
    ["export { b } from 'a'", 'reexport', 1, 19],
    ["import('a')", 'dynamic', 1, 8],
    ['import(`a`)', 'dynamic', 1, 8],
    ["require.resolve('a')", 'resolve', 1, 17],
    ["import.meta.resolve('a')", 'resolve', 1, 21],
    ["module.require('a')", 'require', 1, 16],
    ["const load = createRequire(import.meta.url); load('a')", 'require', 1, 51],
    ["createRequire(import.meta.url)('a')", 'require', 1, 32],
    ["define(['a'], (a) => a)", 'require', 1, 9],
    ["#!/usr/bin/env node\nrequire('a')", 'require', 2, 9],
    ["if (x) return; require('a')", 'require', 1, 24],
    ["// @flow\nimport type { B } from 'b'; import { c } from 'a'; const f = (x: ?string) => c(x)", 'import', 2, 47],
    ["import { c } from 'a'; const f = (x: number): string => c(x)", 'import', 1, 19],
    ["const b = 1; const b = 2; import 'a'", 'import', 1, 34],
  ])('%j: %s at %i:%i', async (source, kind, line, column) => {
    expect(await siteIn(source)).toMatchObject({ kind, line, column, typeOnly: false, mock: false });
  });

  test.each([
    "// import 'a'; require('a')",
    "/* import 'a' */",
    "function f(require) { require('a') }",
    'const code = "import a from \'a\'"',
    "obj.require('a')",
    "`require('a')`",
  ])('%s names none', async (source) => {
    expect(await siteIn(source)).toSatisfy((site) => site === undefined || site.kind === 'mention');
  });

  test.each(["vi.mock('a')", "jest.mock('a', () => ({}))", "vi.mock(import('a'))", "mock.module('a')"])(
    '%s is a mock',
    async (source) => {
      const found = await read({ 'a.test.js': source }, ['a']);
      expect(found.sitesOf('a')).toMatchObject([{ mock: true, role: 'test' }]);
    },
  );

  test('what a test takes in spite of a mock is no mock', async () => {
    expect(await siteIn("const { b } = await vi.importActual('a')")).toMatchObject({ mock: false, symbols: ['b'] });
  });

  test.each([
    [
      'App.vue',
      '<template><p>import "x"</p></template>\n<script setup lang="ts">\nimport a from "a"\n</script>',
      3,
      15,
    ],
    [
      'App.svelte',
      '<script context="module">\n  import "b"\n</script>\n<script>\n  import { c } from "a"\n</script>',
      5,
      21,
    ],
    ['index.astro', '---\nimport A from "a";\nconst t: string = A();\n---\n<h1>{t}</h1>', 2, 15],
    ['index.astro', '---\nconst b = 1;\n---\n<p/>\n<script>\nimport "a"\n</script>', 6, 8],
  ])('%s: the places are those of the file', async (file, source, line, column) => {
    expect(await siteIn(source, file)).toMatchObject({ line, column, typeOnly: false });
  });

  test('a broken script gives what patterns find, and is counted', async () => {
    const found = await read({ 'a.js': "x = = 1;\nconst b = require('a')", 'b.js': 'import = = from }' }, ['a']);
    expect(found.sitesOf('a')).toMatchObject([{ file: 'a.js', line: 2, column: 19, symbolsComplete: false }]);
    expect(found).toMatchObject({ parseErrors: 2, searched: 2, skipped: 0 });
  });
});

describe('what a specifier names', () => {
  test.each([
    ['a', 'a', null],
    ['a/b/c.js', 'a', 'b/c.js'],
    ['@s/a', '@s/a', null],
    ['@s/a/b', '@s/a', 'b'],
    ['npm:a@4/b', 'a', 'b'],
    ['raw-loader!a/b.txt?x', 'a', 'b.txt'],
    ['__proto__', '__proto__', null],
    ['constructor/x', 'constructor', 'x'],
  ])('%s: %s, %s', async (specifier, name, subpath) => {
    expect(await siteIn(`import '${specifier}'`, 'index.js', name)).toMatchObject({ subpath });
  });

  test('part of it may be computed', async () => {
    const site = await siteIn("require('a/locale/' + name)");
    expect(site).toMatchObject({ kind: 'require', subpath: null });
  });

  test.each(['fs', 'node:fs', 'https://a/b.js', './a', 'data:text/javascript,a', ''])(
    '%j is no package',
    async (specifier) => {
      expect((await read({ 'x.js': `import '${specifier}'`, 'a.js': '' }, ['b'])).uses).toEqual([]);
    },
  );

  test('a package with the name of a builtin module is one where the manifest asks for it', async () => {
    const files = {
      'a/package.json': '{"dependencies":{"events":"3"}}',
      'a/x.js': "import 'events'",
      'b/x.js': "import 'events'",
    };
    expect((await read(files, ['events'])).sitesOf('events')).toMatchObject([{ file: 'a/x.js' }]);
  });

  test('an alias names the package that it stands for', async () => {
    const files = { 'package.json': '{"dependencies":{"old":"npm:@s/a@^3"}}', 'x.js': "import 'old/b'" };
    expect((await read(files, ['@s/a', 'old'])).uses).toMatchObject([{ packageName: '@s/a', site: { subpath: 'b' } }]);
  });

  test('the types of a package are those that a file with its import uses', async () => {
    const found = await read({ 'x.ts': "import { a } from '@s/a'; a(); import fs from 'fs'; fs.x()" }, [
      '@s/a',
      '@types/s__a',
      '@types/node',
    ]);
    expect(found.sitesOf('@types/s__a')).toMatchObject([{ typeOnly: true }]);
    expect(found.sitesOf('@types/node')).toMatchObject([{ typeOnly: true }]);
  });

  test('what names neither a file nor a package is counted, and so is what is computed', async () => {
    const found = await read({ 'x.js': "import 'unknown'; import './gone'; require(name); import('./n/' + name)" }, [
      'a',
    ]);
    expect(found).toMatchObject({ unresolved: 2, unknownDynamic: 2, files: 1, uses: [] });
  });
});
