import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCommit } from '../../../src/reach/analysis/commit.js';
import { folderWith } from '../folder.js';

const [one, two] = ['1'.repeat(40), '2'.repeat(40)];

describe('the commit of a tree', () => {
  test.each([
    ['a branch', { '.git/HEAD': 'ref: refs/heads/feature/x\n', '.git/refs/heads/feature/x': `${one}\n` }, one],
    ['a detached head', { '.git/HEAD': `${one}\n` }, one],
    ['SHA-256', { '.git/HEAD': `${'a'.repeat(64)}\n` }, 'a'.repeat(64)],
    [
      'a packed branch',
      {
        '.git/HEAD': 'ref: refs/heads/main\n',
        '.git/packed-refs': `# pack-refs\n${two} refs/heads/old\n${one} refs/heads/main\n`,
      },
      one,
    ],
    [
      'a loose branch before a packed one',
      {
        '.git/HEAD': 'ref: refs/heads/main\n',
        '.git/refs/heads/main': one,
        '.git/packed-refs': `${two} refs/heads/main\n`,
      },
      one,
    ],
    [
      'a worktree inside the tree',
      {
        '.git': 'gitdir: repository/worktrees/x\n',
        'repository/worktrees/x/HEAD': 'ref: refs/heads/main\n',
        'repository/worktrees/x/commondir': '../..\n',
        'repository/refs/heads/main': one,
      },
      one,
    ],
    ['no repository', {}, null],
    ['a branch without a commit', { '.git/HEAD': 'ref: refs/heads/main\n' }, null],
    ['a branch that climbs', { '.git/HEAD': 'ref: refs/../../secret\n', secret: one }, null],
    ['no object name', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': 'password' }, null],
  ])('%s', (_, files: Record<string, string>, commit) => {
    expect(readCommit(folderWith(files))).toBe(commit);
  });

  test('is not read where it is kept outside of the tree', () => {
    const outside = folderWith({ HEAD: one, 'refs/heads/main': one });
    expect(readCommit(folderWith({ '.git': `gitdir: ${outside}\n` }))).toBeNull();
    const linked = folderWith({});
    symlinkSync(outside, join(linked, '.git'));
    expect(readCommit(linked)).toBeNull();
    const ref = folderWith({ '.git/HEAD': 'ref: refs/heads/main' });
    mkdirSync(join(ref, '.git/refs'));
    symlinkSync(join(outside, 'refs/heads'), join(ref, '.git/refs/heads'));
    expect(readCommit(ref)).toBeNull();
  });

  test('is what git says', () => {
    const folder = folderWith({ 'a.txt': 'a' });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    const head = git('rev-parse', 'HEAD').trim();
    expect(readCommit(folder)).toBe(head);
    git('pack-refs', '--all');
    expect(readCommit(folder)).toBe(head);
    rmSync(join(folder, '.git/packed-refs'));
    writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/none');
    expect(readCommit(folder)).toBeNull();
  });
});
