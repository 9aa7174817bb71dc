import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/**
 * The name under which the service keeps a lock file's packages: its path from the root of the repository, which is the same
 * wherever the command runs. Outside a repository it is the path from the working directory.
 */
export async function sourceName(path: string, workingDirectory: string): Promise<string> {
  const absolute = resolve(workingDirectory, path);
  const root = (await repositoryRoot(dirname(absolute))) ?? workingDirectory;
  const name = relative(root, absolute).split(sep).join('/');
  return name.startsWith('../') ? basename(absolute) : name;
}

async function repositoryRoot(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await stat(join(at, '.git')).catch(() => null)) !== null) return at;
    if (at === dirname(at)) return null;
  }
}
