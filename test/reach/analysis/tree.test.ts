import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TreeError, walkTree } from '../../../src/reach/analysis/tree.js';
import { collectGarbage } from '../../support/collect-garbage.js';
import { folderWith } from '../folder.js';

const pathsOf = async (root: string, options = {}) => (await walkTree(root, options)).files.map(({ path }) => path);

describe('what a tree holds', () => {
  test('every file with its size, in the order of their paths', async () => {
    const root = folderWith({ 'b.ts': 'b', 'a/z.ts': 'zz', 'a.ts': '', 'a/b/c.py': 'c', '.github/x.yml': 'x' });
    expect((await walkTree(root)).files).toEqual([
      { path: '.github/x.yml', bytes: 1 },
      { path: 'a.ts', bytes: 0 },
      { path: 'a/b/c.py', bytes: 1 },
      { path: 'a/z.ts', bytes: 2 },
      { path: 'b.ts', bytes: 1 },
    ]);
  });

  test('nothing of dependencies, version control and tools', async () => {
    const root = folderWith({
      'node_modules/a/index.js': '',
      'packages/x/node_modules/a/index.js': '',
      '.git/hooks/pre-commit.js': '',
      'bower_components/a.js': '',
      '.venv/lib/a.py': '',
      'lib/site-packages/a.py': '',
      '.next/server/a.js': '',
      'index.js': '',
    });
    expect(await pathsOf(root)).toEqual(['index.js']);
  });

  test('vendor, target and env where their neighbours tell that they hold no source', async () => {
    const root = folderWith({
      'go/go.mod': '',
      'go/vendor/github.com/a/a.go': '',
      'php/vendor/autoload.php': '',
      'rust/Cargo.toml': '',
      'rust/target/debug/a.rs': '',
      'python/env/pyvenv.cfg': '',
      'python/env/a.py': '',
      'src/vendor/jquery.js': '',
      'src/target/aim.ts': '',
      'src/env/index.ts': '',
    });
    expect(await pathsOf(root)).toEqual([
      'go/go.mod',
      'rust/Cargo.toml',
      'src/env/index.ts',
      'src/target/aim.ts',
      'src/vendor/jquery.js',
    ]);
  });
});

describe('build output', () => {
  test.each([
    ['dist', []],
    ['dist/', []],
    ['/dist', ['packages/x/dist/b.js']],
    ['dist/*', ['packages/x/dist/b.js']],
    ['**/dist', []],
    ['d?st', []],
    ['packages/*/dist\n/dist', []],
    ['dist\n!dist', ['dist/a.js', 'packages/x/dist/b.js']],
    ['/dist/', ['packages/x/dist/b.js']],
    ['# dist', ['dist/a.js', 'packages/x/dist/b.js']],
    ['*.js', ['dist/a.js', 'packages/x/dist/b.js']],
  ])('.gitignore with %j leaves %j', async (gitignore, left) => {
    const root = folderWith({ '.gitignore': gitignore, 'dist/a.js': '', 'packages/x/dist/b.js': '' });
    expect(await pathsOf(root)).toEqual(['.gitignore', ...left]);
  });

  test('is source where git keeps it', async () => {
    const root = folderWith({ '.gitignore': 'node_modules', 'dist/a.js': '', 'build/b.js': '' });
    expect(await pathsOf(root)).toEqual(['.gitignore', 'build/b.js', 'dist/a.js']);
  });

  test('a .gitignore further in speaks for its own folder', async () => {
    const root = folderWith({ 'a/.gitignore': '/dist', 'a/dist/a.js': '', 'a/b/dist/a.js': '', 'dist/a.js': '' });
    expect(await pathsOf(root)).toEqual(['a/.gitignore', 'a/b/dist/a.js', 'dist/a.js']);
  });

  test.each([
    ['/lib/*\n!/lib/app', ['lib/app/a.js', 'lib/app/lib/b.js']],
    ['lib/*\n!lib/app/\n!lib/*.js', ['lib/app/a.js', 'lib/app/lib/b.js', 'lib/c.js']],
    ['/lib/**\n!/lib/app/\n!/lib/app/*.js', ['lib/app/a.js']],
    ['/lib/\n!/lib/app', []],
    ['*\n!*/\n!/lib/**/*.js', ['lib/app/a.js', 'lib/app/lib/b.js', 'lib/app2/a.js', 'lib/c.js']],
  ])('.gitignore with %j leaves of lib %j', async (gitignore, left) => {
    const files = ['lib/app/a.js', 'lib/app/lib/b.js', 'lib/app2/a.js', 'lib/c.js', 'lib/d.ts'];
    const root = folderWith({ '.gitignore': gitignore, ...Object.fromEntries(files.map((path) => [path, ''])) });
    expect(await pathsOf(root)).toEqual(['.gitignore', ...left]);
  });

  test('a .gitignore of its own can say what it is', async () => {
    const root = folderWith({
      'build/.gitignore': '*\n!.gitignore\n!keep.js',
      'build/a.js': '',
      'build/keep.js': '',
      'src/.gitignore': '*',
      'src/a.js': '',
    });
    expect(await pathsOf(root)).toEqual(['build/.gitignore', 'build/keep.js', 'src/.gitignore', 'src/a.js']);
  });

  test('is read in an ignored folder that is read: the rules do not say which of it is output', async () => {
    const root = folderWith({ '.gitignore': '/generated', 'generated/lib/a.ts': '', 'generated/b.ts': '' });
    expect(await pathsOf(root)).toEqual(['.gitignore', 'generated/b.ts', 'generated/lib/a.ts']);
  });

  test('other ignored folders are read: generated code may use packages', async () => {
    const root = folderWith({ '.gitignore': 'src/generated', 'src/generated/a.ts': '' });
    expect(await pathsOf(root)).toContain('src/generated/a.ts');
  });

  test('a pattern made to be slow is passed over', async () => {
    const root = folderWith({ '.gitignore': `${'*a'.repeat(100)}b`, [`build/${'a'.repeat(200)}`]: '' });
    expect(await pathsOf(root)).toHaveLength(2);
  });

  test('many rules made to be slow, for folders as deep as they get', async () => {
    const rules = ['**/a*a*/', '*a'.repeat(100), '?*'.repeat(100), '**/*/', 'lib/**/'].flatMap((part) =>
      Array.from({ length: 20 }, (_, count) => `${part.repeat(count)}b`),
    );
    const names = Array.from({ length: 120 }, (_, depth) => (depth % 2 === 0 ? 'lib' : 'aaaaaaa'));
    const root = folderWith({ '.gitignore': rules.join('\n'), [`${names.join('/')}/x.js`]: '' });
    expect(await pathsOf(root)).toHaveLength(2);
  });
});

describe('a hostile tree', () => {
  test('links are followed neither around nor out', async () => {
    const outside = folderWith({ 'secret.js': 'secret' });
    const root = folderWith({ 'a/index.js': '' });
    symlinkSync(root, join(root, 'a/loop'));
    symlinkSync(outside, join(root, 'out'));
    symlinkSync(join(outside, 'secret.js'), join(root, 'secret.js'));
    symlinkSync('nowhere', join(root, 'dangling'));
    const tree = await walkTree(root);
    expect(tree.files.map(({ path }) => path)).toEqual(['a/index.js']);
    expect(await tree.read('secret.js')).toBeNull();
    expect(tree.search('secret.js', () => true)).toBe(false);
  });

  test('a pipe with a source name is no file, and does not hold the reader up', async () => {
    const root = folderWith({ 'a.js': '' });
    execFileSync('mkfifo', [join(root, 'pipe.js')]);
    const tree = await walkTree(root);
    expect(tree.files.map(({ path }) => path)).toEqual(['a.js']);
    expect(await tree.read('pipe.js')).toBeNull();
    expect(tree.search('pipe.js', () => true)).toBe(false);
  });

  test('a file of a gigabyte is listed and never read', async () => {
    const root = folderWith({ 'big.js': '' });
    truncateSync(join(root, 'big.js'), 2 ** 30);
    collectGarbage();
    const before = process.memoryUsage().rss;
    const tree = await walkTree(root);
    expect(tree.files).toEqual([{ path: 'big.js', bytes: 2 ** 30 }]);
    expect(await tree.read('big.js')).toBeNull();
    // Not collected again: what was read and thrown away must show.
    expect(process.memoryUsage().rss - before).toBeLessThan(2 ** 28);
  });

  test('the limits of files and bytes can be set', async () => {
    const root = folderWith({ 'a.js': '12345', 'b.js': '', 'c.js': '' });
    const tree = await walkTree(root, { maxFiles: 2, maxFileBytes: 4 });
    expect(tree.files).toHaveLength(2);
    expect(tree.truncated).toBe(true);
    expect(await tree.read('a.js')).toBeNull();
    expect(await tree.read('b.js')).toBe('');
  });

  test('names that a report cannot carry are counted', async () => {
    const root = folderWith({ 'a\nb.js': '', 'a\\b.js': '', 'ok.js': '' });
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0x2e, 0x6a, 0x73])]), '');
    const tree = await walkTree(root);
    expect(tree.files.map(({ path }) => path)).toEqual(['ok.js']);
    expect(tree.passedOver).toBe(3);
    expect(tree.truncated).toBe(false);
  });

  test('folders are walked however deep they are', async () => {
    const root = folderWith({});
    mkdirSync(join(root, 'd/'.repeat(500)), { recursive: true });
    writeFileSync(join(root, 'd/'.repeat(500), 'x.js'), '');
    expect(await pathsOf(root)).toHaveLength(1);
  });

  test('a root that is no folder is refused', async () => {
    const root = folderWith({ 'a.js': '' });
    await expect(walkTree(join(root, 'a.js'))).rejects.toThrow(TreeError);
    await expect(walkTree(join(root, 'none'))).rejects.toThrow(/none is not a folder that can be read: expected/);
  });
});

describe('a text', () => {
  test('is read without its byte order mark', async () => {
    const tree = await walkTree(folderWith({ 'a.js': '\uFEFFimport "a"' }));
    expect(await tree.read('a.js')).toBe('import "a"');
  });

  test('that is binary is none', async () => {
    const tree = await walkTree(folderWith({ 'a.js': Buffer.from([1, 0, 2]), 'b.js': Buffer.from([0xff, 1, 65]) }));
    expect([await tree.read('a.js'), await tree.read('b.js')]).toEqual([null, null]);
  });

  test('in an old encoding is still text', async () => {
    const tree = await walkTree(folderWith({ 'a.js': Buffer.from('// caf\xe9', 'latin1') }));
    expect(await tree.read('a.js')).toBe('// café');
  });
});
