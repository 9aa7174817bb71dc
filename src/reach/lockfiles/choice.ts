import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { groupBy } from './group-by.js';
import { lockfileNames, namedKinds } from './kinds.js';
import { packageManagerOf } from './manifest.js';
import { openSource } from './open-source.js';
import { LockfileError } from './source.js';

/** The lock files to read, and those of the same folder that are not, each with the reason. */
export interface Choice {
  readonly taken: readonly string[];
  readonly passedOver: readonly { readonly path: string; readonly reason: string }[];
}

/** The lock file that a path names; of a folder the lock files directly in it, one for each ecosystem. */
export async function chooseLockfiles(path: string): Promise<Choice> {
  const status = await stat(path).catch(() => null);
  if (status === null) throw new LockfileError(path, 'does not exist: expected a lock file, or a folder with one');
  if (!status.isDirectory()) return { taken: [path], passedOver: [] };

  const names = new Set(await readdir(path));
  if (!namedKinds.some(({ name }) => names.has(name))) {
    throw new LockfileError(path, `has no lock file directly in it: expected one of ${lockfileNames}`);
  }
  const manifest = await openSource(join(path, 'package.json'));
  const { taken, passedOver } = chooseAmong(names, manifest && packageManagerOf(manifest));
  return {
    taken: taken.map((name) => join(path, name)),
    passedOver: passedOver.map((other) => ({ ...other, path: join(path, other.path) })),
  };
}

/**
 * Of the names of one folder's files one lock file for each ecosystem: that of the tool which package.json's
 * `packageManager` names, else the first in the order of `kinds`.
 */
export function chooseAmong(names: ReadonlySet<string>, manager: string | null): Choice {
  const present = namedKinds.filter(({ name }) => names.has(name));
  const choices = [...groupBy(present, ({ ecosystem }) => ecosystem).values()].map((rivals) => {
    const declared = rivals.find(({ tool }) => tool === manager);
    const reason =
      declared === undefined
        ? `nothing tells which is in use, and it is the first of the order ${lockfileNames}`
        : `packageManager of package.json names ${manager}`;
    const taken = (declared ?? rivals[0]).name;
    return { taken, others: rivals.filter(({ name }) => name !== taken), reason };
  });
  return {
    taken: choices.map(({ taken }) => taken),
    passedOver: choices.flatMap(({ taken, others, reason }) =>
      others.map(({ name }) => ({ path: name, reason: `${taken} is taken: ${reason}` })),
    ),
  };
}
