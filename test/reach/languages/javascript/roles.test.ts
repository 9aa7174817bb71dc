import { describe, expect, test } from 'vitest';
import { read } from './reading.js';

const manifest = (content: unknown) => ({ 'package.json': JSON.stringify(content) });

describe('a package that only files around the program import', () => {
  const roleOfUse = async (tree: Record<string, string>, file: string) =>
    (await read({ 'index.js': '', [file]: "require('a')", ...tree }, ['a'])).sitesOf('a')[0]?.role;

  test.each(['tools/x.js', 'docs/x.js', 'examples/x/x.js', 'demo/x.js', 'scripts/x.js', 'hack/x.js', 'website/x.js'])(
    'is tooling in %s where it is a development dependency',
    async (file) => {
      expect(await roleOfUse(manifest({ dependencies: { b: '1' }, devDependencies: { a: '1' } }), file)).toBe('script');
    },
  );

  test.each([
    'tools/x.js',
    'docs/x.js',
    'examples/x/x.js',
    'scripts/x.js',
    'src/testing/x.js',
    'bench/x.js',
    'knexfile.js',
    'next.config.js',
    'src/db.setup.ts',
  ])('is used by production in %s where it is a dependency', async (file) => {
    expect(await roleOfUse(manifest({ dependencies: { a: '1' } }), file)).toBe('prod');
  });

  test('is used by production where a manifest further up has it as a dependency', async () => {
    const tree = { ...manifest({ dependencies: { a: '1' } }), 'tools/package.json': '{"devDependencies":{"a":"1"}}' };
    expect(await roleOfUse(tree, 'tools/x.js')).toBe('prod');
  });

  test('is used by production by another name', async () => {
    expect(await roleOfUse(manifest({ dependencies: { b: 'npm:a@1' } }), 'tools/x.js')).toBe('prod');
  });

  test.each([
    ['test/x.js', 'test'],
    ['src/x.test.ts', 'test'],
    ['cypress/x.js', 'test'],
    ['vite.config.js', 'config'],
    ['.eslintrc.cjs', 'config'],
    ['tailwind.config.ts', 'config'],
  ])('is no use by production in %s', async (file, role) => {
    expect(await roleOfUse(manifest({ dependencies: { a: '1' } }), file)).toBe(role);
  });

  test.each(['src/tools/x.js', 'nodes/docs/x.js', 'packages/a/src/examples/x.js'])(
    'is used by production in %s: source has such names too',
    async (file) => {
      const tree = { ...manifest({ devDependencies: { a: '1' } }), 'packages/a/package.json': '{}' };
      expect(await roleOfUse(tree, file)).toBe('prod');
    },
  );

  test('is tooling in a folder at the top of a workspace', async () => {
    const tree = { ...manifest({}), 'packages/x/package.json': '{"devDependencies":{"a":"1"}}' };
    expect(await roleOfUse(tree, 'packages/x/scripts/x.js')).toBe('script');
  });

  test('is used by production where a script names it in a text and it is a dependency', async () => {
    const file = { 'scripts/copy.js': "copy('node_modules/a/dist')" };
    const roleIn = async (content: unknown) =>
      (await read({ ...manifest(content), ...file }, ['a'])).sitesOf('a')[0]?.role;
    expect(await roleIn({ dependencies: { a: '1' } })).toBe('prod');
    expect(await roleIn({ devDependencies: { a: '1' } })).toBe('script');
  });
});
