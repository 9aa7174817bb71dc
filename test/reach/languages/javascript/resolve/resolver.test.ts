import { describe, expect, test } from 'vitest';
import { read } from '../reading.js';

/** Whether the entry index.js (or .ts) reaches the file that imports the package `a`. */
const reaches = async (files: Record<string, string>, entry = 'index.js') =>
  (await read(files, ['a'], [entry])).reached.includes('a');

describe('a file is reached', () => {
  test.each<[string, string, string]>([
    ['a relative path', './b.js', 'b.js'],
    ['a path without extension', './b', 'b.js'],
    ['a folder with an index', './b', 'b/index.js'],
    ['the folder itself', '.', 'index.ts'],
    ['a folder above', '../b', 'b.js'],
    ['TypeScript by the extension that it will have', './b.js', 'b.ts'],
    ['a module of TypeScript', './b.mjs', 'b.mts'],
    ['a component', './B.vue', 'B.vue'],
    ['a platform', './b', 'b.ios.js'],
    ['a query of a bundler', './b.js?worker', 'b.js'],
    ['the alias of scaffolds', '@/b', 'src/b.js'],
  ])('by %s: %s', async (_, specifier, target) => {
    const source = target.endsWith('.vue') ? '<script>import "a"</script>' : "import 'a'";
    const above = specifier.startsWith('../');
    const entry = above ? 'inner/entry.js' : 'entry.js';
    expect(await reaches({ [entry]: `import '${specifier}'`, [target]: source }, entry)).toBe(true);
  });

  test.each<[string, string, Record<string, string>]>([
    ['the main of a folder', './b', { 'b/package.json': '{"main":"lib/x.js"}', 'b/lib/x.js': "require('a')" }],
    ['the main of the project', '.', { 'package.json': '{"main":"lib/x.js"}', 'lib/x.js': "require('a')" }],
    ['imports', '#x/y', { 'package.json': '{"imports":{"#x/*":"./src/*.js"}}', 'src/y.js': "import 'a'" }],
    ['imports that mean a package', '#x', { 'package.json': '{"imports":{"#x":{"node":"a","default":"./x.js"}}}' }],
    [
      'a workspace',
      'w',
      {
        'package.json': '{"workspaces":["p/*"]}',
        'p/w/package.json': '{"name":"w","main":"m.js"}',
        'p/w/m.js': "require('a')",
      },
    ],
    [
      'a workspace by pnpm',
      'w/sub',
      {
        'pnpm-workspace.yaml': 'packages:\n  - p/**',
        'p/q/w/package.json': '{"name":"w","exports":{"./sub":{"import":"./dist/sub.js"}}}',
        'p/q/w/src/sub.ts': "import 'a'",
      },
    ],
    [
      'a workspace by its protocol',
      '@s/w',
      {
        'package.json': '{"dependencies":{"@s/w":"file:./w"}}',
        'w/package.json': '{"name":"@s/w"}',
        'w/index.js': "require('a')",
      },
    ],
    [
      'its own name',
      'self/b',
      { 'package.json': '{"name":"self","exports":{"./*":"./src/*.js"}}', 'src/b.js': "import 'a'" },
    ],
    [
      'paths',
      '@app/b',
      { 'tsconfig.json': '{"compilerOptions":{"paths":{"@app/*":["./src/*"]}}} // c', 'src/b.ts': "import 'a'" },
    ],
    [
      'paths that are extended',
      '@app/b',
      {
        'tsconfig.json': '{"extends":"./conf/tsconfig.base.json",}',
        'conf/tsconfig.base.json': '{"compilerOptions":{"baseUrl":"..","paths":{"@app/*":["src/*"]}}}',
        'src/b.ts': "import 'a'",
      },
    ],
    [
      'paths that are referenced',
      '@app/b',
      {
        'tsconfig.json': '{"files":[],"references":[{"path":"./tsconfig.app.json"}]}',
        'tsconfig.app.json': '{"compilerOptions":{"paths":{"@app/*":["./src/*"]}}}',
        'src/b.ts': "import 'a'",
      },
    ],
    ['baseUrl', 'lib/b', { 'jsconfig.json': '{"compilerOptions":{"baseUrl":"src"}}', 'src/lib/b.js': "import 'a'" }],
  ])('by %s: %s', async (_, specifier, files) => {
    expect(await reaches({ ...files, 'index.js': `import '${specifier}'` })).toBe(true);
  });

  test.each([
    "require('./env/' + name)",
    "require('./env/' + name + '.js')",
    "require(path.join(__dirname, 'env', name))",
    "require(__dirname + '/env/prod')",
    "new Worker(new URL('./env/prod.js', import.meta.url))",
  ])('by the known part of %s', async (source) => {
    expect(await reaches({ 'index.js': source, 'env/prod.js': "require('a')" })).toBe(true);
  });

  test.each([
    ["import type { B } from './b'", 'a type'],
    ["import { B } from './b'; let x: B", 'an import that is erased'],
    ["vi.mock('./b')", 'a mock'],
    ["// import './b'", 'a comment'],
  ])('not by %s: %s', async (source) => {
    expect(await reaches({ 'index.ts': source, 'b.ts': "import 'a'; export class B {}" }, 'index.ts')).toBe(false);
  });
});

describe('a package is named', () => {
  test('though a path mapping lies over it', async () => {
    const files = {
      'tsconfig.json': '{"compilerOptions":{"paths":{"*":["./fakes/*"]}}}',
      'fakes/a.ts': '',
      'x.ts': "import 'a'",
    };
    expect((await read(files, ['a'])).sitesOf('a')).toHaveLength(1);
  });

  test('not by a workspace of the same name', async () => {
    const files = {
      'package.json': '{"workspaces":["w"],"dependencies":{"w":"*"}}',
      'w/package.json': '{"name":"w"}',
      'w/index.js': '',
      'x.js': "import 'w'",
    };
    expect(await read(files, [])).toMatchObject({ uses: [], unresolved: 0 });
  });

  test('where the configuration of tests says otherwise', async () => {
    const files = {
      'tsconfig.spec.json': '{"compilerOptions":{"paths":{"a":["./fake"]}}}',
      'fake.ts': '',
      'x.ts': "import 'a'",
    };
    expect((await read(files, ['a'])).sitesOf('a')).toHaveLength(1);
  });

  test('whatever is broken in the configuration', async () => {
    const files = {
      'package.json': '{"name": ',
      'tsconfig.json': '}{',
      'pnpm-workspace.yaml': ':\n - [',
      'sub/package.json': '[]',
      'x.ts': "import 'a'",
    };
    expect((await read(files, ['a'])).sitesOf('a')).toHaveLength(1);
  });

  test('though configurations extend each other around', async () => {
    const files = {
      'tsconfig.json': '{"extends":"./jsconfig.json"}',
      'jsconfig.json': '{"extends":"./tsconfig.json"}',
      'x.ts': "import 'a'",
    };
    expect((await read(files, ['a'])).sitesOf('a')).toHaveLength(1);
  });

  test('though all configurations of a large workspace extend and reference each other', async () => {
    const folders = Array.from({ length: 40 }, (_, at) => `p/${at}`);
    const all = folders.map((folder) => ({ path: `/${folder}` }));
    const referencing = (up: string) => ({ files: [], references: all.map(({ path }) => ({ path: up + path })) });
    const files = {
      'tsconfig.json': JSON.stringify(referencing('.')),
      ...Object.fromEntries(
        folders.map((folder) => [
          `${folder}/tsconfig.json`,
          JSON.stringify({ extends: ['../../tsconfig.json', '../../tsconfig.json'], ...referencing('../..') }),
        ]),
      ),
      'p/39/tsconfig.json': '{"extends":"../../tsconfig.json","compilerOptions":{"paths":{"@app/*":["./src/*"]}}}',
      'p/39/src/b.ts': "import 'a'",
      'index.ts': "import '@app/b'",
    };
    const found = await read(files, ['a']);
    expect(found.sitesOf('a')).toMatchObject([{ file: 'p/39/src/b.ts', reached: true }]);
  });

  test('though a chain of configurations extends the next one twice', async () => {
    const twice = (next: string) => JSON.stringify({ extends: [next, `${next}.json`], compilerOptions: {} });
    const chain = Array.from({ length: 40 }, (_, at) => [`config/${at}.json`, twice(`./${at + 1}`)]);
    const files = {
      'tsconfig.json': twice('./config/0'),
      ...Object.fromEntries(chain),
      'config/40.json': '{"compilerOptions":{"paths":{"@app/*":["../src/*"]}}}',
      'src/b.ts': "import 'a'",
      'index.ts': "import '@app/b'",
    };
    const found = await read(files, ['a']);
    expect(found.sitesOf('a')).toMatchObject([{ file: 'src/b.ts', reached: true }]);
  });
});
