import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { detect, lockfileNames } from './kinds.js';
import { openSource } from './open-source.js';
import type { Reading } from './package-list.js';
import { LockfileError } from './source.js';

export interface Lockfile extends Reading {
  readonly path: string;
  /** The file name that is known, such as `package-lock.json`. */
  readonly kind: string;
  readonly ecosystem: Ecosystem;
}

/** Reads the lock file that a path names; throws `LockfileError` for one that cannot be read as what its name says. */
export async function readLockfile(path: string): Promise<Lockfile> {
  const kind = detect(path);
  if (kind === null) throw new LockfileError(path, `is not a lock file known here: expected ${lockfileNames}`);
  const source = await openSource(path);
  if (source === null) throw new LockfileError(path, 'does not exist');
  return { path, kind: kind.name, ecosystem: kind.ecosystem, ...(await kind.read(source)) };
}
