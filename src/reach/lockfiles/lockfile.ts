import { resolve } from 'node:path';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { detect, lockfileNames } from './kinds.js';
import { openSource } from './open-source.js';
import type { Reading } from './package-list.js';
import { refusalOf } from './refusals.js';
import { LockfileError } from './source.js';

export interface Lockfile extends Reading {
  readonly path: string;
  /** The file name that is known, such as `package-lock.json`. */
  readonly kind: string;
  readonly ecosystem: Ecosystem;
}

/**
 * Reads the lock file that a path names.
 *
 * @param boundary the folder that manifests and included files may lie in; the lock file's own where none is given
 * @throws LockfileError for one that cannot be read as what its name says
 */
export async function readLockfile(path: string, boundary?: string): Promise<Lockfile> {
  const kind = detect(resolve(path));
  if (kind === null) throw new LockfileError(path, refusalOf(path)?.why ?? unknownName);
  const source = await openSource(path, boundary);
  if (source === null) throw new LockfileError(path, 'does not exist');
  return { path, kind: kind.name, ecosystem: kind.ecosystem, ...(await kind.read(source)) };
}

const unknownName = `is not a lock file known here: expected ${lockfileNames}`;
