import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from '../../../folder.js';
import { read, readFolder } from '../reading.js';

const packages = ['lodash', 'zone.js', 'x-loader', 'y-loader', '@s/plugin-a', '@s/plugin-b', '@s/core'];
const gapsOf = async (source: string, more: Record<string, string> = {}) =>
  (await read({ 'index.ts': source, ...more }, packages)).gaps.map(({ kind, line, hides }) => [kind, line, hides]);

describe('an import that only a run can say is a gap', () => {
  test.each<[string, readonly string[] | 'any']>([
    ['require(name)', 'any'],
    ['import(name)', 'any'],
    ['import(process.env.DRIVER)', 'any'],
    ["import(process.env.DRIVER ?? 'lodash')", 'any'],
    ["const names = JSON.parse(fs.readFileSync('p.json')); for (const name of names) require(name)", 'any'],
    ['createRequire(import.meta.url)(name)', 'any'],
    ['const load = createRequire(import.meta.url); load(name)', 'any'],
    ['const load = typeof x === "function" ? x : require; load(name)', 'any'],
    ['__non_webpack_require__(name)', 'any'],
    ['module.require(name)', 'any'],
    ['require.main.require(name)', 'any'],
    ['export function load(name) { return import(name) }', 'any'],
    ['import(`@s/plugin-${name}`)', ['@s/plugin-a', '@s/plugin-b']],
    ["require('@s/plugin-' + name)", ['@s/plugin-a', '@s/plugin-b']],
    ["const scope = '@s/'; require(scope + name)", ['@s/plugin-a', '@s/plugin-b', '@s/core']],
    ['require(`${name}-loader`)', ['x-loader', 'y-loader']],
    ['require(`${name}/package.json`)', 'any'],
    ["require(path.join(root, 'node_modules', name))", 'any'],
  ])('%s', async (source, hides) => {
    expect(await gapsOf(source)).toEqual([['unknown_dynamic', 1, hides]]);
  });
});

describe('an import that can be computed is one', () => {
  test.each([
    "require('lo' + 'dash')",
    "require(['lo', 'dash'].join(''))",
    'const end = "dash"; import(`lo${end}`)',
    "let name = 'x-loader'; name = 'lodash'; require(name)",
    "const names = ['x-loader', 'lodash']; for (const name of names) require(name)",
    "['x-loader', 'lodash'].forEach((name) => require(name))",
    "require(big ? 'lodash' : 'x-loader')",
    "const drivers = { a: 'x-loader', b: { name: 'lodash' } }; require(drivers.b.name)",
    "const drivers = { a: 'x-loader', b: 'lodash' }; require(drivers[kind])",
    "const plugins = [{ from: 'lodash' }]; plugins.map(({}) => 1); for (const p of plugins) import(p.from)",
    "'x-loader lodash'.split(' ').map((name) => import(name))",
    "function load(name) { return require(name) } load('lodash')",
    "const load = (name: string) => import(name as string); load('lodash')",
    "const load = require; load('lodash')",
    "require(require.resolve('lodash'))",
    "require(path.join(__dirname, 'node_modules', 'lodash'))",
    'Object.keys({ lodash: 1 }).map((name) => require(name))',
  ])('%s', async (source) => {
    const found = await read({ 'index.ts': source }, packages);
    expect(found.reached).toContain('lodash');
    expect(found.gaps).toEqual([]);
  });

  test.each([
    "require('./plugins/' + name)",
    'import(`./plugins/${name}.js`)',
    'require(path.join(__dirname, name))',
    'require(path.resolve(folder, name))',
    'import(pathToFileURL(path.resolve(file)).href)',
    "const root = path.join(__dirname, '..'); require(root + '/x/' + name)",
    'import(`${import.meta.dirname}/${name}`)',
    'require(`${process.cwd()}/${name}`)',
    "require('unknown-' + name)",
    'import(`https://cdn.test/${name}`)',
    "require('node:' + name)",
    'require.resolve(name)',
    'new Function(code); eval(code)',
  ])('%s names no package', async (source) => {
    expect(await gapsOf(source)).toEqual([]);
  });

  test('in a hostile file takes bounded work', async () => {
    const doubled = Array.from({ length: 200 }, (_, at) => `const a${at + 1} = a${at} + a${at};`).join('\n');
    const same = 'var a; a = a + a; function f(a) { f(a) } f(a);\n'.repeat(3000);
    const found = await read(
      { 'index.js': `const a0 = x ? 'b' : 'c';\n${doubled}\nrequire(a200)`, 'main.js': `${same}require(a)` },
      packages,
      ['index.js', 'main.js'],
    );
    expect(found.gaps.map(({ hides }) => hides)).toEqual(['any', 'any']);
  });
});

describe('an import of what is not there is a gap', () => {
  test.each(["import './gone'", "require('../gone')", "export * from './gone/x.js'", "import('@/gone')"])(
    '%s',
    async (source) => {
      expect(await gapsOf(source)).toEqual([['unresolved_import', 1, 'any']]);
    },
  );

  test.each([
    "import './style.css'; import './a.svg'; import './data.json'; import './a.txt?raw'",
    "import type { A } from './gone'",
    "import { Route } from './+types/route'; import './$types'; import './x.d.ts'",
    "import 'virtual:pwa'; import '~icons/mdi/home'; import '#imports'; import '@theme/Layout'",
    "import 'unheard-of'; import '#made-by-a-plugin'",
    "import './dist/index.js'; import '../.output/server/index.mjs'",
    "new URL('./gone.js', import.meta.url)",
    "vi.mock('./gone')",
  ])('%s is none', async (source) => {
    expect(await gapsOf(source)).toEqual([]);
  });

  test.each<[string, Record<string, string>]>([
    ['#gone', { 'package.json': '{"main":"index.ts","imports":{"#gone":"./gone.js"}}' }],
    ['@app/gone', { 'tsconfig.json': '{"compilerOptions":{"paths":{"@app/*":["./src/*"]}}}' }],
    ['@app/gone', { 'vite.config.js': "alias: { '@app': './src' }" }],
  ])('%s by an alias', async (specifier, files) => {
    expect(await gapsOf(`import '${specifier}'`, files)).toEqual([['unresolved_import', 1, 'any']]);
  });

  test.each<[string, Record<string, string>]>([
    // Browserify's and webpack's way to leave a module of Node.js out of a bundle.
    ["require('fs')", { 'webpack.config.js': "module.exports = { resolve: { alias: { fs: 'empty' } } }" }],
    [
      "import '@app/types/'",
      { 'tsconfig.json': '{"compilerOptions":{"paths":{"@app/*":["src/*"]}}}', 'src/types/index.ts': '' },
    ],
  ])('%s is none by an alias', async (source, files) => {
    expect(await gapsOf(source, files)).toEqual([]);
  });

  test.each([
    ['packages/create-x/templates/a/src/index.ts', { 'packages/create-x/package.json': '{"name":"create-x"}' }, []],
    ['packages/x/templates/a/src/index.ts', { 'packages/x/package.json': '{"name":"x"}' }, ['any']],
    ['transforms/__testfixtures__/a.input.ts', {}, []],
  ])('in %s', async (file, files, hidden) => {
    // No entry: all files of production are searched for gaps.
    const { gaps } = await read({ ...files, [file]: "import './gone'" }, packages);
    expect(gaps.map(({ hides }) => hides)).toEqual(hidden);
  });

  test('hides what resembles it, where it has the name of a package', async () => {
    expect(await gapsOf("import 'zone'")).toEqual([['unowned_import', 1, ['zone.js']]]);
  });

  test('is none in tests, but is in production that no entry is seen to reach', async () => {
    expect(await gapsOf('1', { 'test/other.ts': "import './gone'; require(x)" })).toEqual([]);
    expect(await gapsOf('1', { 'other.ts': "import './gone'" })).toEqual([['unresolved_import', 1, 'any']]);
    const found = await read({ 'deep/down.ts': "import './gone'", 'test/x.test.ts': 'require(x)' }, packages);
    expect(found.gaps).toMatchObject([{ file: 'deep/down.ts', kind: 'unresolved_import' }]);
  });
});

describe('a file of production that cannot be read', () => {
  test('is a gap', async () => {
    const folder = folderWith({ 'package.json': '{"main":"big.js"}', 'big.js': '' });
    truncateSync(join(folder, 'big.js'), 2 ** 30);
    const found = await readFolder(folder, packages);
    expect(found.gaps).toMatchObject([{ kind: 'unread_file', file: 'big.js', hides: 'any' }]);
  });
});

describe('what a build configuration names is there', () => {
  test.each<[string, Record<string, string>, string]>([
    [
      'vite',
      { 'vite.config.ts': "alias: { '@parts': fileURLToPath(new URL('./web/parts', import.meta.url)) }" },
      '@parts/x',
    ],
    [
      'vite in a list',
      { 'vite.config.js': "alias: [{ find: 'parts', replacement: path.resolve(__dirname, 'web/parts') }]" },
      'parts/x',
    ],
    [
      'webpack',
      { 'build/webpack.base.js': "resolve: { alias: { parts: path.resolve(__dirname, '..', 'web', 'parts') } }" },
      'parts/x',
    ],
    ['babel', { '.babelrc': '{"plugins":[["module-resolver",{"alias":{"parts":"./web/parts"}}]]}' }, 'parts/x'],
    ['nothing but its folder', {}, 'web/parts/x'],
    ['nothing but its folder, with a mark', {}, '@web/parts/x'],
  ])('by %s', async (_, files, specifier) => {
    const found = await read(
      { ...files, 'index.js': `import '${specifier}'`, 'web/parts/x.js': "import 'lodash'" },
      packages,
    );
    expect(found.reached).toEqual(['lodash']);
    expect(found.gaps).toEqual([]);
  });

  test('sources stand for what a build writes', async () => {
    const files = { 'package.json': '{"bin":"bin/x"}', 'bin/x': "#!/usr/bin/env node\nrequire('../dist/cli.js')" };
    const found = await read({ ...files, 'src/cli.ts': "import 'lodash'" }, packages);
    expect(found).toMatchObject({ reached: ['lodash'], gaps: [] });
  });
});

describe('a reached file', () => {
  test('says what loads it, by a shortest way', async () => {
    const found = await read(
      {
        'index.js': "import './far';\nimport './near'",
        'far.js': "import './farther'",
        'farther.js': "import './goal'",
        'near.js': "\nimport './goal'",
        'goal.js': '',
        'other.js': '',
      },
      [],
    );
    expect(Object.fromEntries(found.reachedFiles)).toEqual({
      'index.js': null,
      'far.js': { file: 'index.js', line: 1 },
      'near.js': { file: 'index.js', line: 2 },
      'farther.js': { file: 'far.js', line: 1 },
      'goal.js': { file: 'near.js', line: 2 },
    });
  });
});
