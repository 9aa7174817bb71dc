import { describe, expect, test } from 'vitest';
import { read } from '../reading.js';

const entriesOf = async (files: Record<string, string>, given: string[] = []) =>
  (await read(files, [], given)).entryFiles;
const manifest = (content: unknown) => ({ 'package.json': JSON.stringify(content) });

describe('production starts', () => {
  test.each<[string, Record<string, string>, string]>([
    ['at main', { ...manifest({ main: 'lib/m' }), 'lib/m.js': '' }, 'lib/m.js'],
    ['at the source of what main is built from', { ...manifest({ main: './dist/m.js' }), 'src/m.ts': '' }, 'src/m.ts'],
    ['at module', { ...manifest({ module: 'm.mjs' }), 'm.mjs': '' }, 'm.mjs'],
    ['at exports', { ...manifest({ exports: { './x': { import: './x.js' } } }), 'x.js': '' }, 'x.js'],
    ['at exports by a pattern', { ...manifest({ exports: { './*': './src/*.js' } }), 'src/y.js': '' }, 'src/y.js'],
    ['at bin', { ...manifest({ bin: { x: 'bin/x' } }), 'bin/x.js': '' }, 'bin/x.js'],
    [
      'at what start runs',
      { ...manifest({ scripts: { start: 'NODE_ENV=production node -r dotenv/config ./s.js --port 1' } }), 's.js': '' },
      's.js',
    ],
    [
      'at what dev runs',
      { ...manifest({ scripts: { dev: 'concurrently "tsx watch src/x.ts" "vite"' } }), 'src/x.ts': '' },
      'src/x.ts',
    ],
    [
      'in the folder that start goes to',
      { ...manifest({ scripts: { start: 'cd api && npx nodemon -w src x.js' } }), 'api/x.js': '' },
      'api/x.js',
    ],
    [
      'at what a container runs',
      { Dockerfile: 'FROM node\nCMD ["node", \\\n  "w.js"]', 'w.js': '', ...manifest({ main: 'no' }) },
      'w.js',
    ],
    ['at what a Procfile runs', { Procfile: 'web: node p.js', 'p.js': '' }, 'p.js'],
    [
      'at the script of a page',
      { 'index.html': '<script type="module" src="/src/main.ts"></script>', 'src/main.ts': '' },
      'src/main.ts',
    ],
    [
      'at pages of Next.js',
      { ...manifest({ dependencies: { next: '1' } }), 'app/[id]/page.tsx': '' },
      'app/[id]/page.tsx',
    ],
    [
      'at routes of SvelteKit',
      { ...manifest({ devDependencies: { '@sveltejs/kit': '1' } }), 'src/routes/+page.svelte': '' },
      'src/routes/+page.svelte',
    ],
    ['at pages of Nuxt', { ...manifest({ dependencies: { nuxt: '1' } }), 'pages/x.vue': '' }, 'pages/x.vue'],
    [
      'at pages of Astro',
      { ...manifest({ dependencies: { astro: '1' } }), 'src/pages/x.astro': '' },
      'src/pages/x.astro',
    ],
    [
      'at routes of Remix',
      { ...manifest({ dependencies: { '@remix-run/react': '1' } }), 'app/routes/x.tsx': '' },
      'app/routes/x.tsx',
    ],
    ['at main of Nest', { ...manifest({ dependencies: { '@nestjs/core': '1' } }), 'src/main.ts': '' }, 'src/main.ts'],
    [
      'at what angular.json says',
      {
        'angular.json': '{"projects":{"p":{"architect":{"build":{"options":{"browser":"app/x.ts"}}}}}}',
        'app/x.ts': '',
      },
      'app/x.ts',
    ],
    [
      'where servers usually do, where nothing else says',
      { ...manifest({ dependencies: { express: '1' } }), 'server.js': '' },
      'server.js',
    ],
    ['where servers usually do, without any manifest', { 'src/index.ts': '' }, 'src/index.ts'],
  ])('%s', async (_, files, entry) => {
    const { entries } = await read(files, []);
    expect(entries).toMatchObject([{ file: entry, why: expect.stringMatching(/\S/) }]);
  });

  test('at the files that are given, and there alone', async () => {
    const files = { ...manifest({ main: 'm.js' }), 'm.js': '', 'x.ts': '' };
    expect(await entriesOf(files, ['./x.ts'])).toEqual(['x.ts']);
    expect(await entriesOf(files, ['main.py'])).toEqual(['m.js']);
  });

  test('in each workspace', async () => {
    const files = {
      ...manifest({ workspaces: ['p/*'] }),
      'p/a/package.json': '{"main":"x.js"}',
      'p/a/x.js': '',
      'p/b/package.json': '{}',
      'p/b/index.js': '',
    };
    expect(await entriesOf(files)).toEqual(['p/a/x.js', 'p/b/index.js']);
  });

  test.each<[string, Record<string, string>]>([
    [
      'in what tests run',
      {
        ...manifest({ main: 'm.js', scripts: { 'start:e2e': 'node e.js', test: 'node t.js' } }),
        'm.js': '',
        'e.js': '',
        't.js': '',
      },
    ],
    [
      'in fixtures of tests',
      {
        ...manifest({ main: 'm.js' }),
        'm.js': '',
        'test/fixtures/package.json': '{"main":"f.js"}',
        'test/fixtures/f.js': '',
      },
    ],
    [
      'out of the tree',
      { ...manifest({ main: 'm.js', bin: '../../x.js', scripts: { start: 'node /etc/passwd ../y.js' } }), 'm.js': '' },
    ],
    [
      'in another project that a page names',
      {
        ...manifest({ main: 'm.js' }),
        'm.js': '',
        'index.html': '<script src="https://x.org/x.js"></script>',
        'x.js': '',
      },
    ],
  ])('not %s', async (_, files) => {
    expect(await entriesOf(files)).toEqual(['m.js']);
  });
});

describe('the role of a file', () => {
  test.each([
    ['src/x.js', 'prod'],
    ['config/x.js', 'prod'],
    ['src/x.test.ts', 'test'],
    ['src/x.spec.jsx', 'test'],
    ['test/x.js', 'test'],
    ['src/__tests__/x.js', 'test'],
    ['cypress/x.js', 'test'],
    ['webpack.config.js', 'config'],
    ['.eslintrc.cjs', 'config'],
    ['Gruntfile.js', 'config'],
    ['vite.config.mts', 'config'],
    ['scripts/x.js', 'script'],
    ['tools/x.js', 'script'],
  ])('%s is %s', async (file, role) => {
    const found = await read({ 'index.js': '', [file]: "require('a')" }, ['a']);
    expect(found.sitesOf('a')).toMatchObject([{ role, reached: false }]);
  });

  test('is production where production imports it', async () => {
    const found = await read({ 'index.js': "require('./scripts/x')", 'scripts/x.js': "require('a')" }, ['a']);
    expect(found.sitesOf('a')).toMatchObject([{ role: 'prod', reached: true }]);
  });
});
