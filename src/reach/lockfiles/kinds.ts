import { basename, dirname } from 'node:path';
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
import { pdm } from './pdm/index.js';
import { pip } from './pip/index.js';
import { pipenv } from './pipenv/index.js';
import { pnpm } from './pnpm/index.js';
import { poetry } from './poetry/index.js';
import { pylock } from './pylock/index.js';
import { refusalOf } from './refusals.js';
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
  pdm,
  pipenv,
  pylock,
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

/** The same names and the patterns as one text, for help and errors. */
export const lockfileNames = kinds
  .flatMap(({ names, patterns = [] }) => [...names, ...patterns.map(({ glob }) => glob)])
  .join(', ');

const byName = new Map(namedKinds.map((kind) => [kind.name, kind]));

const byPattern = kinds.flatMap(({ names: [name = ''], patterns = [] }) =>
  patterns.map((pattern) => ({ ...pattern, kind: byName.get(name) ?? null })),
);

/** The kind of lock file that a path names; null for any other file. */
export function detect(path: string): NamedKind | null {
  return byName.get(basename(path)) ?? patternOf(path)?.kind ?? null;
}

/** Whether only its folder's name makes a file a lock file, so that it may be something else. */
export function isNamedByFolder(path: string): boolean {
  return !byName.has(basename(path)) && patternOf(path)?.byFolder === true;
}

function patternOf(path: string) {
  const ending = `/${basename(dirname(path))}/${basename(path)}`;
  return refusalOf(path) === null ? byPattern.find(({ matches }) => matches.test(ending)) : undefined;
}
