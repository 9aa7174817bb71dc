import { basename } from 'node:path';
import { bun } from './bun/index.js';
import { bundler } from './bundler/index.js';
import { cargo } from './cargo/index.js';
import { composer } from './composer/index.js';
import { go } from './go/index.js';
import { gradle } from './gradle/index.js';
import type { LockfileKind } from './lockfile-kind.js';
import { maven } from './maven/index.js';
import { npm } from './npm/index.js';
import { nuget } from './nuget/index.js';
import { pip } from './pip/index.js';
import { pipenv } from './pipenv/index.js';
import { pnpm } from './pnpm/index.js';
import { poetry } from './poetry/index.js';
import { uv } from './uv/index.js';
import { yarn } from './yarn/index.js';

/** All kinds of lock files. Of several in one folder for the same ecosystem, the first of this order is read. */
export const kinds: readonly LockfileKind[] = [
  npm,
  pnpm,
  yarn,
  bun,
  uv,
  poetry,
  pipenv,
  pip,
  go,
  cargo,
  bundler,
  composer,
  gradle,
  maven,
  nuget,
];

export interface NamedKind extends LockfileKind {
  readonly name: string;
}

/** The file names of all kinds, in the order of `kinds`. */
export const namedKinds: readonly NamedKind[] = kinds.flatMap((kind) => kind.names.map((name) => ({ ...kind, name })));

/** The same names as one text, for help and errors. */
export const lockfileNames = namedKinds.map(({ name }) => name).join(', ');

const byName = new Map(namedKinds.map((kind) => [kind.name, kind]));

/** The kind of lock file that a path names; null for any other file. */
export function detect(path: string): NamedKind | null {
  return byName.get(basename(path)) ?? null;
}
