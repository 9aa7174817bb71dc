import { readBunLock } from './bun/bun-lock.js';
import { readGemfileLock } from './bundler/gemfile-lock.js';
import { readCargoLock } from './cargo/cargo-lock.js';
import { readComposerLock } from './composer/composer-lock.js';
import { readGoMod } from './go/go-mod.js';
import { readGradleLockfile } from './gradle/gradle-lockfile.js';
import { detect, type LockfileKind, lockfileKinds } from './kinds.js';
import { readPackageLock } from './npm/package-lock.js';
import { readNugetLock } from './nuget/nuget-lock.js';
import { openSource } from './open-source.js';
import type { LockedPackage, Reading, Skipped } from './package-list.js';
import { readRequirements } from './pip/requirements.js';
import { readPipfileLock } from './pipenv/pipfile-lock.js';
import { readPnpmLock } from './pnpm/pnpm-lock.js';
import { readPoetryLock } from './poetry/poetry-lock.js';
import { LockfileError, type Source } from './source.js';
import { readUvLock } from './uv/uv-lock.js';
import { readYarnLock } from './yarn/yarn-lock.js';

export interface Lockfile {
  readonly path: string;
  readonly kind: LockfileKind;
  readonly packages: readonly LockedPackage[];
  /** What of the file is no package of a registry, by reason. */
  readonly skipped: readonly Skipped[];
}

const readers: Readonly<Record<LockfileKind, (source: Source) => Promise<Reading>>> = {
  'npm-shrinkwrap.json': readPackageLock,
  'package-lock.json': readPackageLock,
  'pnpm-lock.yaml': readPnpmLock,
  'yarn.lock': readYarnLock,
  'bun.lock': readBunLock,
  'uv.lock': readUvLock,
  'poetry.lock': readPoetryLock,
  'Pipfile.lock': readPipfileLock,
  'requirements.txt': readRequirements,
  'go.mod': readGoMod,
  'Cargo.lock': readCargoLock,
  'Gemfile.lock': readGemfileLock,
  'composer.lock': readComposerLock,
  'gradle.lockfile': readGradleLockfile,
  // The parser of XML is loaded where there is some: it takes longer than all others.
  'pom.xml': async (source) => (await import('./maven/pom.js')).readPom(source),
  'packages.lock.json': readNugetLock,
};

/** Reads a lock file, told by its name; throws `LockfileError` for one that cannot be read as such. */
export async function readLockfile(path: string): Promise<Lockfile> {
  const kind = detect(path);
  if (kind === null)
    throw new LockfileError(path, `is not a lock file known here: expected ${lockfileKinds.join(', ')}`);
  const source = await openSource(path);
  if (source === null) throw new LockfileError(path, 'does not exist');
  return readLockfileSource(kind, source);
}

/** Reads a lock file whose text is there already. */
export async function readLockfileSource(kind: LockfileKind, source: Source): Promise<Lockfile> {
  return { path: source.file, kind, ...(await readers[kind](source)) };
}
