import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/** An application of the oracle: a public repository at one commit. */
export interface Application {
  /** `owner/name` on GitHub. */
  readonly repository: string;
  readonly commit: string;
}

/**
 * Brings the files of an application into `folder/owner+name@commit` and returns that folder; what is there is not fetched again.
 *
 * @param mirror a folder with bare git directories `owner+name` or `owner+name/repo`, for machines without the internet; they
 *   may lack the contents of large files
 */
export function checkOut({ repository, commit }: Application, folder: string, mirror: string | undefined): string {
  const place = path.join(folder, `${repository.replace('/', '+')}@${commit.slice(0, 12)}`);
  if (existsSync(place)) return place;
  const partial = `${place}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const source = mirrored(repository, mirror);
  if (source === null) fetchCommit(`https://github.com/${repository}.git`, commit, partial);
  else copyCommit(source, commit, partial);
  renameSync(partial, place);
  return place;
}

function fetchCommit(source: string, commit: string, place: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: place, stdio: 'pipe' });
  git('init', '--quiet');
  git('fetch', '--quiet', '--depth=1', source, commit);
  git('-c', 'core.symlinks=false', 'checkout', '--quiet', '--detach', commit);
}

function copyCommit(source: string, commit: string, place: string): void {
  const index = `${place}.index`;
  const env = { ...process.env, GIT_DIR: source, GIT_INDEX_FILE: index };
  execFileSync('git', ['read-tree', commit], { env, stdio: 'pipe' });
  // Files whose contents the mirror lacks are left out; git then ends with an error, after all others.
  spawnSync('git', ['-c', 'core.symlinks=false', 'checkout-index', '--all', `--prefix=${place}/`], {
    env,
    stdio: 'ignore',
  });
  rmSync(index, { force: true });
}

function mirrored(repository: string, mirror: string | undefined): string | null {
  if (mirror === undefined) return null;
  const place = path.resolve(mirror, repository.replace('/', '+'));
  return [path.join(place, 'repo'), place].find((each) => existsSync(path.join(each, 'HEAD'))) ?? null;
}
