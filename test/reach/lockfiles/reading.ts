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
}: Lockfile): Record<string, Omit<LockedPackage, 'key' | 'ecosystem' | 'graph' | 'tarball' | 'ranges' | 'asked'>> {
  return Object.fromEntries(
    packages.map(({ key, ecosystem: _, graph: __, tarball: ___, ranges: ____, asked: _____, ...found }) => [
      key,
      found,
    ]),
  );
}

/** The ranges that packages ask of others, as `a -> b: ^1`; `?` where the file does not say one. Both by their keys. */
export function rangesIn({ packages }: Lockfile): string[] {
  return packages.flatMap(({ key, dependencies, ranges }) =>
    dependencies.map((needed) => `${key} -> ${needed}: ${ranges?.get(needed) ?? '?'}`),
  );
}

/** What manifests ask for, as `package.json -> a: ^1`; `?` where the range is not known. */
export function asksIn({ packages }: Lockfile): string[] {
  return packages.flatMap(({ key, asked = [] }) =>
    asked.map(({ file, range }) => `${file} -> ${key}: ${range ?? '?'}`),
  );
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
