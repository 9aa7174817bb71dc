import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Lockfile, readLockfile } from '../../../src/reach/lockfiles/lockfile.js';
import type { LockedPackage } from '../../../src/reach/lockfiles/package-list.js';
import { dataFile } from '../../support/data.js';
import { folderWith } from '../folder.js';

/** Reads the first of these files; the others lie in the same temporary folder. */
export function readFrom(files: Readonly<Record<string, unknown>>): Promise<Lockfile> {
  const texts = Object.entries(files).map(([name, content]) => [
    name,
    typeof content === 'string' ? content : JSON.stringify(content),
  ]);
  return readLockfile(join(folderWith(Object.fromEntries(texts)), Object.keys(files)[0] ?? ''));
}

/** Reads one of the real files under the name that its tool gives it. */
export function readReal(path: string, name: string): Promise<Lockfile> {
  return readFrom({ [name]: readFileSync(dataFile(path), 'utf8') });
}

/** The packages by key, without what most tests do not look at. */
export function byKey({
  packages,
}: Lockfile): Record<string, Omit<LockedPackage, 'key' | 'ecosystem' | 'graph' | 'tarball'>> {
  return Object.fromEntries(packages.map(({ key, ecosystem: _, graph: __, tarball: ___, ...found }) => [key, found]));
}

/** `name@version` to scope. */
export function scopes({ packages }: Lockfile): Record<string, string> {
  return Object.fromEntries(packages.map(({ name, version, scope }) => [`${name}@${version}`, scope]));
}

/** A package as `byKey` gives it, without what most kinds of lock file do not know. */
export function found(version: string, scope: string, direct: boolean | null, dependencies: readonly string[] = []) {
  return {
    version,
    scope,
    direct,
    deprecated: null,
    dependencies,
  };
}
