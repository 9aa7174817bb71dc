import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from '../folder.js';
import { chainText, follow, hiddenNames, loadedNames, project } from './following.js';

const to = (...names: string[]) => ({ dependencies: Object.fromEntries(names.map((name) => [name, '*'])) });

describe('what is loaded', () => {
  test('the shortest chain of files; a package that is brought in and not required is not loaded', async () => {
    const root = folderWith(
      project(
        { 'app.js': "import './lib.js';", 'lib.js': "\nimport a from 'a';" },
        {
          a: {
            manifest: to('b', 'never'),
            files: {
              'index.js': "require('./far');\nrequire('b')",
              'far.js': "require('./farther')",
              'farther.js': "require('b')",
            },
          },
          b: { manifest: { main: 'main.js' }, files: { 'main.js': '1' } },
          never: { files: { 'index.js': '1' } },
        },
      ),
    );
    const found = await follow(root);
    expect(loadedNames(found)).toEqual(['a 1.0.0', 'b 1.0.0']);
    expect(chainText(found, 'b')).toMatch(/lib\.js:2 -> a\/index\.js:2 -> b\/main\.js$/);
    expect(found).toMatchObject({ kind: 'installed', followed: ['npm'], gaps: [] });
  });

  test('a subpath enters its file alone', async () => {
    const root = folderWith(
      project(
        { 'app.js': "require('a/one')" },
        {
          a: { manifest: to('b', 'c'), files: { 'index.js': "require('b')", 'one.js': "require('c')" } },
          b: {},
          c: {},
        },
      ),
    );
    expect(loadedNames(await follow(root))).toEqual(['a 1.0.0', 'c 1.0.0']);
  });

  test.each([
    [
      'exports of any condition',
      { exports: { '.': { import: './x.mjs', require: './index.js' } } },
      { 'x.mjs': "import 'b'", 'index.js': '1' },
    ],
    ['the browser field', { browser: { './index.js': './x.js' } }, { 'x.js': "require('b')", 'index.js': '1' }],
    [
      'imports of the manifest',
      { imports: { '#x': { node: './x.js' } } },
      { 'x.js': "require('b')", 'index.js': "require('#x')" },
    ],
    ['imports that stand for a package', { imports: { '#b': 'b' } }, { 'index.js': "require('#b')" }],
    [
      'its own name',
      { exports: { '.': './index.js', './x': './x.js' } },
      { 'x.js': "require('b')", 'index.js': "require('a/x')" },
    ],
    [
      'a folder with a manifest',
      {},
      { 'x/package.json': '{"main":"y"}', 'x/y.js': "require('b')", 'index.js': "require('./x')" },
    ],
    ['a require in try', {}, { 'index.js': "try { require('b') } catch {}" }],
    [
      'a UMD wrapper',
      {},
      { 'index.js': "(function (f) { f(require) })(function (require) { require('./x') })", 'x.js': "require('b')" },
    ],
    [
      'the require of a bundler',
      {},
      { 'index.js': "import { createRequire as c } from 'module'; var __require = c(import.meta.url); __require('b')" },
    ],
    [
      'createRequire under another name',
      {},
      { 'index.js': "import { createRequire } from 'module'; const load = createRequire(import.meta.url); load('b')" },
    ],
    ['a dynamic import', {}, { 'index.js': "import(/* webpackChunkName: 'b' */ 'b')" }],
    ['minified exports', {}, { 'index.js': 'var a=1;export{x as y}from"b";' }],
    [
      'a worker by its place',
      {},
      { 'index.js': "new Worker(join(__dirname, 'lib', 'x.js'))", 'lib/x.js': "require('b')" },
    ],
    ['a worker by its URL', {}, { 'index.js': "new Worker(new URL('./x.js', import.meta.url))", 'x.js': "import 'b'" }],
    [
      'a folder whose files are loaded by name',
      {},
      { 'index.js': "const n = 'x'; require('./lang/' + n)", 'lang/x.js': "require('b')" },
    ],
    ['a program without extension', { main: 'run' }, { run: "#!/usr/bin/env node\nrequire('b')" }],
    ['an undeclared dependency', { dependencies: {} }, { 'index.js': "const b = require('b')" }],
  ])('by %s', async (_, manifest, files) => {
    const root = folderWith(
      project({ 'app.js': "import 'a'" }, { a: { manifest: { ...to('b'), ...manifest }, files: { ...files } }, b: {} }),
    );
    expect(loadedNames(await follow(root))).toEqual(['a 1.0.0', 'b 1.0.0']);
  });

  test.each([
    ['types', { 'index.js': '1', 'index.d.ts': "import 'b'" }],
    [
      'a comment',
      {
        'index.js':
          "/**\n * require('b')\n * @type {import('b').B}\n */\nexport const a = /** @type {import('b').B} */ (1)",
      },
    ],
    ['a file that nothing loads', { 'index.js': '1', 'test.js': "require('b')" }],
  ])('not by %s', async (_, files) => {
    const root = folderWith(
      project({ 'app.js': "import 'a'" }, { a: { manifest: to('b'), files: { ...files } }, b: {} }),
    );
    const found = await follow(root);
    expect(loadedNames(found)).toEqual(['a 1.0.0']);
    expect(hiddenNames(found)).toEqual([]);
  });

  test('the nearest of several versions', async () => {
    const root = folderWith(
      project(
        { 'app.js': "import 'a'" },
        {
          a: { manifest: to('b'), files: { 'index.js': "require('b')" } },
          b: {},
          'a/node_modules/b': { version: '2.0.0' },
        },
      ),
    );
    expect(loadedNames(await follow(root))).toEqual(['a 1.0.0', 'b 2.0.0']);
  });

  test('the layout of pnpm, whose links stay in the tree', async () => {
    const store = 'node_modules/.pnpm/a@1.0.0/node_modules';
    const root = folderWith({
      'app.js': "import 'a'",
      'package.json': '{"dependencies":{"a":"1.0.0"}}',
      'pnpm-lock.yaml': [
        "lockfileVersion: '9.0'",
        'importers:\n  .:\n    dependencies:\n      a:\n        specifier: 1.0.0\n        version: 1.0.0',
        'packages:\n  a@1.0.0:\n    resolution: {integrity: sha512-x}\n  b@1.0.0:\n    resolution: {integrity: sha512-x}',
        'snapshots:\n  a@1.0.0:\n    dependencies:\n      b: 1.0.0\n  b@1.0.0: {}',
      ].join('\n'),
      [`${store}/a/package.json`]: '{"name":"a","version":"1.0.0","dependencies":{"b":"1"}}',
      [`${store}/a/index.js`]: "require('b')",
      'node_modules/.pnpm/b@1.0.0/node_modules/b/package.json': '{"name":"b","version":"1.0.0"}',
    });
    symlinkSync('.pnpm/a@1.0.0/node_modules/a', join(root, 'node_modules/a'));
    symlinkSync('../../b@1.0.0/node_modules/b', join(root, store, 'b'));
    expect(await follow(root)).toMatchObject({ loaded: [{ name: 'a' }, { name: 'b' }], gaps: [] });
  });

  test('nothing outside of the tree is read, wherever a link leads', async () => {
    const outside = folderWith({
      'a/package.json': '{"name":"a","version":"1.0.0"}',
      'a/index.js': "require('b')",
      'x.js': "require('b')",
    });
    const root = folderWith(
      project(
        { 'app.js': "import 'a'; import 'c'" },
        { a: { manifest: to('b') }, b: {}, c: { manifest: to('b'), files: { 'index.js': "require('./x')" } } },
        ['b', 'c'],
      ),
    );
    symlinkSync(join(outside, 'a'), join(root, 'node_modules/a'));
    symlinkSync(join(outside, 'x.js'), join(root, 'node_modules/c/x.js'));
    const found = await follow(root);
    expect(loadedNames(found)).toEqual(['a 1.0.0', 'c 1.0.0']);
    expect(hiddenNames(found)).toEqual(['b']);
  });

  test('manifests and files that lead in circles end', async () => {
    const root = folderWith(
      project(
        { 'app.js': "import 'a'" },
        {
          a: {
            manifest: { ...to('a', 'b'), main: './x', imports: { '#a': '#a' }, exports: { '.': './x' } },
            files: {
              'x/package.json': '{"main":"../y"}',
              'y/package.json': '{"main":"../x"}',
              'x/index.js': "require('#a'); require('../y'); require('b')",
            },
          },
          b: { manifest: to('a'), files: { 'index.js': "require('a')" } },
        },
      ),
    );
    expect(loadedNames(await follow(root))).toEqual(['a 1.0.0', 'b 1.0.0']);
  });
});

test('packages that stand for each other in browsers', async () => {
  const other = (name: string) => ({
    manifest: { ...to(name), browser: { './index.js': name } },
    files: { 'index.js': '1' },
  });
  const root = folderWith(project({ 'app.js': "import 'a'" }, { a: other('b'), b: other('a') }));
  expect(loadedNames(await follow(root))).toEqual(['a 1.0.0', 'b 1.0.0']);
});

describe('what cannot be followed hides what lies below it', () => {
  test('a computed require: dependencies, peers and plugins of the package, and all below; no others', async () => {
    const root = folderWith(
      project(
        { 'app.js': "import 'a'" },
        {
          a: {
            manifest: { ...to('b'), peerDependencies: { peer: '*' } },
            files: { 'index.js': 'require(process.argv[2])' },
          },
          b: { manifest: to('c') },
          c: {},
          peer: {},
          plugin: { manifest: { peerDependencies: { a: '*' } } },
          other: {},
        },
      ),
    );
    const found = await follow(root);
    expect(loadedNames(found)).toEqual(['a 1.0.0']);
    expect(found.gaps).toMatchObject([{ kind: 'unknown_dynamic', file: 'node_modules/a/index.js', ecosystem: 'npm' }]);
    expect(hiddenNames(found)).toEqual(['b', 'c', 'peer', 'plugin']);
  });

  test('a name in a string of a package: that package, and what it loads', async () => {
    const root = folderWith(
      project(
        { 'app.js': "import 'a'" },
        {
          a: { manifest: to('b', 'other'), files: { 'index.js': "load({ driver: 'b/x' })" } },
          b: { manifest: to('c', 'd'), files: { 'index.js': "require('d')", 'x.js': "require('c')" } },
          c: {},
          d: {},
          other: {},
        },
      ),
    );
    const found = await follow(root);
    expect(loadedNames(found)).toEqual(['a 1.0.0']);
    expect(hiddenNames(found)).toEqual(['b', 'c']);
  });

  test('a package that a string of the application names, and one of code that no entry reaches', async () => {
    const root = folderWith(
      project(
        { 'app.js': "run({ engine: 'a' })", 'lonely.js': "import 'c'" },
        { a: { manifest: to('b'), files: { 'index.js': "require('b')" } }, b: {}, c: {} },
      ),
    );
    const found = await follow(root);
    expect(loadedNames(found)).toEqual([]);
    expect(hiddenNames(found)).toEqual(['a', 'b', 'c']);
  });

  test('a package that is not installed, or in another version, is loaded all the same', async () => {
    const root = folderWith(
      project(
        { 'app.js': "import 'a'; import 'd'" },
        {
          a: { manifest: to('b') },
          b: { manifest: to('c') },
          c: {},
          d: { version: '2.0.0', manifest: to('e') },
          e: {},
        },
        ['b', 'c', 'e'],
      ),
    );
    mkdirSync(join(root, 'node_modules/d'));
    writeFileSync(join(root, 'node_modules/d/package.json'), '{"name":"d","version":"1.0.0"}');
    const found = await follow(root);
    expect(loadedNames(found)).toEqual(['a 1.0.0', 'd 2.0.0']);
    expect(hiddenNames(found)).toEqual(['b', 'c', 'e']);
  });

  test('a file of binary content', async () => {
    const root = folderWith(
      project({ 'app.js': "import 'a'" }, { a: { manifest: to('b'), files: { 'index.js': 'a\0b' } }, b: {} }),
    );
    expect((await follow(root)).gaps).toMatchObject([{ kind: 'unread_file', hides: ['b'] }]);
  });

  test('a lock file below which no entry lies', async () => {
    const files = project({ 'app.js': "import 'a'" }, { a: {} });
    const other = project({}, { z: {} });
    const inFolder = Object.fromEntries(Object.entries(other).map(([path, text]) => [`ui/${path}`, text]));
    const root = folderWith({
      ...inFolder,
      'api/app.js': '',
      ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`api/${path}`, text])),
    });
    const found = await follow(root, { entries: ['api/app.js'] });
    expect(loadedNames(found)).toEqual(['a 1.0.0']);
    expect(hiddenNames(found)).toEqual(['z']);
  });

  test('without an entry point nothing is followed', async () => {
    const root = folderWith(project({ 'lib/some.js': "import 'a'" }, { a: {} }));
    expect(await follow(root, { entries: [] })).toMatchObject({ loaded: [], followed: [] });
  });
});
