import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** A working copy of a repository. */
export interface WorkingCopy {
  readonly root: string;
  /** The address of its remote, as git's configuration has it; null where it has none. */
  readonly remote: string | null;
  /** The name of the repository's own folder, which all of its worktrees share. */
  readonly folderName: string;
}

/** Bytes of a configuration or pointer file that are read. */
const maxBytes = 1024 * 1024;

/** The working copy around a folder, read from its `.git` without running git (gitrepository-layout(5)); null where there is none. */
export async function findWorkingCopy(folder: string): Promise<WorkingCopy | null> {
  for (let root = folder; ; root = dirname(root)) {
    const dotGit = join(root, '.git');
    const status = await stat(dotGit).catch(() => null);
    if (status !== null) {
      // In a worktree or a submodule `.git` is a file that names the folder of the rest.
      const pointer = status.isDirectory() ? null : /^gitdir: (.+)/.exec((await read(dotGit)) ?? '')?.[1]?.trim();
      const gitFolder = pointer == null ? dotGit : resolve(root, pointer);
      const common = resolve(gitFolder, (await read(join(gitFolder, 'commondir')))?.trim() ?? '.');
      const isWorktree = common !== gitFolder && basename(common) === '.git';
      return {
        root,
        remote: remoteIn((await read(join(common, 'config'))) ?? ''),
        folderName: basename(isWorktree ? dirname(common) : root),
      };
    }
    if (root === dirname(root)) return null;
  }
}

/** The address of `origin`, else that of the first remote (git-config(1), "Syntax"). */
function remoteIn(config: string): string | null {
  const remotes = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    const section = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    if (section !== undefined) remote = /^remote\s+"(.*)"$/i.exec(section.trim())?.[1];
    const [, url] = /^\s*(?:\[[^\]]*\])?\s*url\s*=\s*(.*?)\s*$/i.exec(line) ?? [];
    if (remote === undefined || url === undefined || remotes.has(remote)) continue;
    // A comment begins after white space; quotes and backslashes only escape.
    const value = url.replace(/\s[#;].*$/, '').replace(/["\\](["\\]?)/g, '$1');
    if (value !== '') remotes.set(remote, value);
  }
  return remotes.get('origin') ?? [...remotes.values()][0] ?? null;
}

async function read(path: string): Promise<string | null> {
  const status = await stat(path).catch(() => null);
  if (status === null || !status.isFile() || status.size > maxBytes) return null;
  return readFile(path, 'utf8').catch(() => null);
}
