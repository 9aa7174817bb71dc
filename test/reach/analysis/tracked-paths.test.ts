import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTrackedPaths } from '../../../src/reach/analysis/tracked-paths.js';
import { walkTree } from '../../../src/reach/analysis/tree.js';
import { folderWith } from '../folder.js';

const git = (folder: string, ...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'pipe' });

function repository(files: Readonly<Record<string, string>>, tracked: readonly string[], version: string): string {
  const folder = folderWith(files);
  git(folder, 'init', '--quiet');
  if (tracked.length > 0) git(folder, 'add', '--force', ...tracked);
  git(folder, 'update-index', '--index-version', version);
  return folder;
}

const names = ['a.js', 'lib/a.js', 'lib/ab.js', 'lib/deep/é.js', 'lib/deep/longer-name.js', 'web/src/lib/index.ts'];
const files = Object.fromEntries(names.map((name) => [name, name]));

describe.each(['2', '3', '4'])('an index of version %s', (version) => {
  test('names what git tracks, with the folders around it', () => {
    const folders = ['lib', 'lib/deep', 'web', 'web/src', 'web/src/lib'];
    expect([...readTrackedPaths(repository(files, names, version))].sort()).toEqual([...names, ...folders].sort());
  });

  test('keeps an ignored folder in which source is tracked, whole', async () => {
    const ignored = { ...files, '.gitignore': 'lib/\nnode_modules\n', 'node_modules/own/a.js': '' };
    const { files: walked } = await walkTree(repository(ignored, ['web', 'lib/ab.js'], version));
    expect(walked.map(({ path }) => path)).toEqual(['.gitignore', ...names.toSorted()]);
    const web = repository(ignored, ['web'], version);
    expect((await walkTree(web)).files.map(({ path }) => path)).toEqual(['.gitignore', 'a.js', 'web/src/lib/index.ts']);
  });
});

test('a folder without an index, or with a broken one, has nothing tracked', () => {
  expect(readTrackedPaths(folderWith({ 'a.js': '' })).size).toBe(0);
  const folder = repository(files, names, '2');
  const whole = readFileSync(join(folder, '.git/index'));
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, length) => {
      const changed = Buffer.from(whole.subarray(0, length));
      if (at < length) changed[at] = byte;
      writeFileSync(join(folder, '.git/index'), changed);
      for (const path of readTrackedPaths(folder)) expect(path).not.toBe('');
    }),
    { numRuns: 200 },
  );
});
