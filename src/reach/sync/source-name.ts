import { createHash } from 'node:crypto';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { findWorkingCopy } from './git-config.js';
import { manifestName } from './manifest-name.js';
import { repositoryName } from './repository-name.js';

/** The names under which the service keeps a lock file's packages. */
export interface SourceNames {
  /** `github.com/acme/shop:web/package-lock.json`. */
  readonly source: string;
  /** What it was called before: by the folder, or by reach 0.1. */
  readonly former: string;
  /** What names the repository. Two folders of one name have the same sources, two remotes have not. */
  readonly from: 'remote' | 'manifest' | 'folder';
}

/** Characters; the service takes no longer name. */
const maxLength = 200;

/**
 * Names a lock file's source by its repository and its path in that, which is the same wherever the command runs, and
 * another one for each repository. The repository's remote names it, else the manifest at its root, else its folder.
 * Outside a repository its root is the given folder.
 *
 * @param folder that the command was given; for a single file the file's own
 */
export async function sourceNames(path: string, folder: string, workingDirectory: string): Promise<SourceNames> {
  const absolute = resolve(workingDirectory, path);
  const copy = await findWorkingCopy(dirname(absolute));
  const root = copy?.root ?? resolve(workingDirectory, folder);
  const remote = copy?.remote ? repositoryName(copy.remote) : null;
  const stated = remote === null ? await manifestName(root) : null;
  const folderName = copy?.folderName ?? basename(root);
  const within = slashed(relative(root, absolute));
  return {
    source: fitted(`${remote ?? stated ?? folderName}:${within}`),
    former: stated === null ? formerName(absolute, copy?.root ?? workingDirectory) : fitted(`${folderName}:${within}`),
    from: remote === null ? (stated === null ? 'folder' : 'manifest') : 'remote',
  };
}

/** The path from the root of the repository, else from the working directory. */
function formerName(absolute: string, root: string): string {
  const name = slashed(relative(root, absolute));
  return name.startsWith('../') ? basename(absolute) : name;
}

/** Of a name that is too long the end, behind a hash of the whole. */
function fitted(name: string): string {
  if (name.length <= maxLength) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${hash}…${name.slice(-(maxLength - hash.length - 1)).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
