import { readBunLock } from './bun-lock.js';
import { readCargoLock } from './cargo-lock.js';
import { readComposerLock } from './composer-lock.js';
import { readGemfileLock } from './gemfile-lock.js';
import { readGoMod } from './go-mod.js';
import { readGradleLockfile } from './gradle-lockfile.js';
import { detect, type LockfileKind, lockfileKinds } from './kinds.js';
import { readNugetLock } from './nuget-lock.js';
import { openSource } from './open-source.js';
import type { LockedPackage, Reading, Skipped } from './package-list.js';
import { readPackageLock } from './package-lock.js';
import { readPipfileLock } from './pipfile-lock.js';
import { readPnpmLock } from './pnpm-lock.js';
import { readPoetryLock } from './poetry-lock.js';
import { readRequirements } from './requirements.js';
import { LockfileError, type Source } from './source.js';
import { readUvLock } from './uv-lock.js';
import { readYarnLock } from './yarn-lock.js';

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
  'pom.xml': async (source) => (await import('./pom.js')).readPom(source),
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
