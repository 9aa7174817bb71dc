import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Gitignore } from '../../../src/reach/analysis/gitignore.js';

/** The text of each .gitignore, by its folder. */
type Rules = Readonly<Record<string, string>>;

const env = { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
let repository = '';

beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'gitignore-'));
  execFileSync('git', ['init', '-q', repository], { env });
  for (const folder of folders) mkdirSync(join(repository, folder), { recursive: true });
  for (const file of files) writeFileSync(join(repository, file), '');
});
afterAll(() => rmSync(repository, { recursive: true, force: true }));

/** The paths that git ignores. */
function ignoredByGit(rules: Rules): string[] {
  for (const [folder, text] of Object.entries(rules)) writeFileSync(join(repository, folder, '.gitignore'), text);
  try {
    const args = ['-C', repository, '-c', 'core.ignoreCase=false', 'check-ignore', '--no-index', '--stdin', '-z'];
    return execFileSync('git', args, { env, input: paths.join('\0'), encoding: 'utf8', stdio: 'pipe' })
      .split('\0')
      .filter((path) => path !== '');
  } catch (error) {
    if (Object(error).status === 1) return [];
    throw error;
  } finally {
    for (const folder of Object.keys(rules)) rmSync(join(repository, folder, '.gitignore'));
  }
}

/** The paths that the .gitignore files of their folders make ignored, as read here. */
function ignoredHere(rules: Rules): string[] {
  return paths.filter((path) => {
    let read = Gitignore.none;
    for (const folder of foldersAbove(path)) read = read.with(folder, rules[folder] ?? '');
    return read.ignores(path, folders.includes(path) ? 'folder' : 'file');
  });
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [''] : [...foldersAbove(folder), folder];
}

const folders = ['', 'a', 'a/b', 'a/b/lib', 'lib', 'lib/app', 'a [b]*', 'a [b]*/c', '!a', '#a', 'é'];
const fileNames = ['x', 'B', 'a.js', '.a', 'b.min.js', 'b c', '[ab]', '!b', '#b', 'b*', 'a\\b', 'à'];
const files = folders.flatMap((folder) => fileNames.map((name) => join(folder, name)));
const paths = [...folders.slice(1), ...files];

test.each<[string, Rules]>([
  ['a folder whose files are ignored, but for one folder', { '': '/lib/*\n!/lib/app\n' }],
  ['the same with a slash', { '': 'lib/*\n!lib/app/\n' }],
  ['what lies in an ignored folder cannot come back', { '': 'lib\n!lib/app\n', lib: '!app' }],
  ['a file further in wins', { '': '/a\n/lib/*\n', lib: '!a.js', a: '!b' }],
  ['a file further in brings its folder back', { '': 'a/b*', a: '!b' }],
  ['rules further in are bound to their folder', { a: '/b\n/lib/*\n!/lib/app', 'a/b': 'lib/\n**/a' }],
  ['a folder with special characters', { 'a [b]*': '/a\nlib\n!c/lib\nc/*.js' }],
  ['classes of characters', { '': '[ab]\n![!a]\n[[:upper:]]\n[a-z].js' }],
  ['everything but', { '': '/*\n!/lib\n!.gitignore', lib: '*\n!*.js\n!*/' }],
  ['spaces, escapes and line ends', { '': 'b\\ c\r\n\\!a\r\n\\#a  \n# b\n!\n/\n\nb\\*\n', a: ' \n/ \n#\n!b  ' }],
  ['two stars', { '': '**/app/**\na/**/a.js\nlib/**\n!lib/**/\n**' }],
  ['letters of another case', { '': 'LIB\na.JS\nb' }],
])('%s', (_, rules) => {
  expect(ignoredHere(rules)).toEqual(ignoredByGit(rules));
});

describe('generated rules', () => {
  const name = fc.constantFrom(
    'a',
    'b',
    'lib',
    'app',
    'a.js',
    '*',
    '*.js',
    'a*',
    '*b',
    '?',
    '[ab]',
    '[!a]',
    '**',
    'l?b',
    'A',
    'é',
    'à',
    '??',
    '?\\ c',
    '\\a',
    '[[:lower:]]*',
    '.*',
    'l[h-j]b',
  );
  const rule = fc
    .tuple(
      fc.constantFrom('', '', '!', '#'),
      fc.constantFrom('', '', '/'),
      fc.array(name, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', '', '/', ' ', '\r'),
    )
    .map(([before, root, names, after]) => `${before}${root}${names.join('/')}${after}`)
    // Lines with more are passed over.
    .filter((line) => line.split('**/').length <= 3);
  const text = fc.array(rule, { maxLength: 5 }).map((rules) => rules.join('\n'));
  const rules = fc.dictionary(fc.constantFrom('', 'a', 'a/b', 'lib', 'lib/app', 'a [b]*', '!a'), text, { maxKeys: 4 });

  test('are read as git reads them', () => {
    fc.assert(
      fc.property(rules, (generated) => {
        expect(ignoredHere(generated)).toEqual(ignoredByGit(generated));
      }),
      { numRuns: 300 },
    );
  });
});
