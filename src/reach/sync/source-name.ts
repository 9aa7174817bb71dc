import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/**
 * The name under which a lock file's packages are kept: its path from the root of the repository, so that it is the same
 * wherever the command runs; outside a repository the path from the working directory.
 */
export async function sourceName(path: string, workingDirectory: string): Promise<string> {
  const place = resolve(workingDirectory, path);
  const root = (await repositoryRoot(dirname(place))) ?? workingDirectory;
  const name = relative(root, place).split(sep).join('/');
  return name.startsWith('../') ? basename(place) : name;
}

async function repositoryRoot(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await stat(join(at, '.git')).catch(() => null)) !== null) return at;
    if (at === dirname(at)) return null;
  }
}
