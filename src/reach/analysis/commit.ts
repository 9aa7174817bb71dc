import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { readText } from './text-file.js';

/** Bytes; packed-refs of the largest repositories has a few megabytes. */
const maxBytes = 16 * 1024 * 1024;

/** SHA-1 and SHA-256 object names. */
const objectName = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * The commit that is checked out in a folder, read from its `.git` without running git. Null where there is none, or where
 * `.git` points out of the folder, as in some worktrees. Layout: gitrepository-layout(5).
 */
export function readCommit(root: string): string | null {
  const read = (path: string) => readInside(root, path);
  // In a worktree or submodule `.git` is a file that names the folder of the rest.
  const gitdir = resolve(root, /^gitdir: (.+)/.exec(read('.git') ?? 'gitdir: .git')?.[1]?.trim() ?? '.git');
  const head = read(join(gitdir, 'HEAD'))?.trim();
  if (head === undefined) return null;
  if (objectName.test(head)) return head;
  const [, ref] = /^ref: (refs\/[^\s\\]+)$/.exec(head) ?? [];
  if (ref === undefined || ref.split('/').includes('..')) return null;
  // A worktree has its HEAD; its branches are in the folder that `commondir` names.
  const common = resolve(gitdir, read(join(gitdir, 'commondir'))?.trim() ?? '.');
  const commit = read(join(gitdir, ref))?.trim() ?? read(join(common, ref))?.trim();
  if (commit !== undefined) return objectName.test(commit) ? commit : null;
  const packed = read(join(common, 'packed-refs'))?.split('\n') ?? [];
  const [name] = packed.find((line) => line.endsWith(` ${ref}`))?.split(' ') ?? [];
  return name !== undefined && objectName.test(name) ? name : null;
}

/** The text of a file that lies within the root after all links are resolved; null for any other. */
function readInside(root: string, path: string): string | null {
  try {
    const file = realpathSync(resolve(root, path));
    const within = relative(realpathSync(root), file);
    return within === '' || within.startsWith('..') || isAbsolute(within) ? null : readText(file, maxBytes);
  } catch {
    return null;
  }
}
