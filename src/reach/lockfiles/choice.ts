import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ecosystemOf, type LockfileKind, lockfileKinds, toolOf } from './kinds.js';
import { packageManagerOf } from './manifest.js';
import { openSource } from './open-source.js';
import { LockfileError } from './source.js';

/** Which lock files a path means, and which of its folder are passed over, with the reason. */
export interface Choice {
  readonly taken: readonly string[];
  readonly passedOver: readonly { readonly path: string; readonly reason: string }[];
}

/** The file itself, or of a folder the lock files directly in it: one for each ecosystem. */
export async function chooseLockfiles(path: string): Promise<Choice> {
  const status = await stat(path).catch(() => null);
  if (status === null) throw new LockfileError(path, 'does not exist: expected a lock file, or a folder with one');
  if (!status.isDirectory()) return { taken: [path], passedOver: [] };

  const names = await readdir(path);
  const present = lockfileKinds.filter((kind) => names.includes(kind));
  if (present.length === 0) {
    throw new LockfileError(path, `has no lock file directly in it: expected one of ${lockfileKinds.join(', ')}`);
  }
  const manifest = await openSource(join(path, 'package.json'));
  const manager = manifest && packageManagerOf(manifest);
  const choices = present.map((kind) => ({
    kind,
    ...pick(
      present.filter((other) => ecosystemOf(other) === ecosystemOf(kind)),
      manager,
    ),
  }));
  return {
    taken: choices.filter(({ kind, pick }) => kind === pick).map(({ kind }) => join(path, kind)),
    passedOver: choices
      .filter(({ kind, pick }) => kind !== pick)
      .map(({ kind, pick, reason }) => ({ path: join(path, kind), reason: `${pick} is taken: ${reason}` })),
  };
}

/** The one to take of several for one ecosystem: the first, unless package.json names the tool that the project uses. */
export function pick(
  rivals: readonly LockfileKind[],
  manager: string | null,
): { pick: LockfileKind | undefined; reason: string } {
  const declared = rivals.find((kind) => toolOf(kind) === manager);
  if (declared !== undefined) return { pick: declared, reason: `packageManager of package.json names ${manager}` };
  return {
    pick: rivals[0],
    reason: `nothing tells which is in use, and it is the first of the order ${lockfileKinds.join(', ')}`,
  };
}
