import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { dataFile } from '../../support/data.js';

/** A throw-away reader of lock files, for counting only: the product's own readers are tested elsewhere. */
export interface LockedPackage {
  name: string;
  version: string;
}

interface Dependency {
  version: string;
  dependencies?: Record<string, Dependency> | undefined;
}

const dependency: z.ZodType<Dependency> = z.object({
  version: z.string(),
  get dependencies() {
    return z.record(z.string(), dependency).optional();
  },
});

const packageLock = z.object({
  packages: z
    .record(
      z.string(),
      z.object({ name: z.string().optional(), version: z.string().optional(), link: z.boolean().optional() }),
    )
    .optional(),
  dependencies: z.record(z.string(), dependency).optional(),
});

const installFolder = 'node_modules/';

/** One entry an installed folder, so that a version installed twice comes twice. */
export function readPackageLock(path: string): LockedPackage[] {
  const { packages, dependencies = {} } = packageLock.parse(JSON.parse(readFileSync(dataFile(path), 'utf8')));
  if (!packages) return nested(dependencies);
  return Object.entries(packages).flatMap(([folder, { name, version, link }]) => {
    const at = folder.lastIndexOf(installFolder);
    if (at < 0 || link || version === undefined) return [];
    return [{ name: name ?? folder.slice(at + installFolder.length), version }];
  });
}

function nested(dependencies: Record<string, Dependency>): LockedPackage[] {
  return Object.entries(dependencies).flatMap(([key, { version, dependencies: inner = {} }]) => {
    const alias = /^npm:(.+)@([^@]+)$/.exec(version);
    return [{ name: alias?.[1] ?? key, version: alias?.[2] ?? version }, ...nested(inner)];
  });
}

export function readPnpmLock(path: string): LockedPackage[] {
  const text = readFileSync(dataFile(path), 'utf8');
  const section = text.slice(text.indexOf('\npackages:'), text.indexOf('\nsnapshots:'));
  return named(section, /^ {2}'?((?:@[^@/\s]+\/)?[^@/\s]+)@([^:'\s()]+)'?:$/gm);
}

export function readYarnLock(path: string): LockedPackage[] {
  return named(
    readFileSync(dataFile(path), 'utf8'),
    /^"?((?:@[^@/\s"]+\/)?[^@/\s"]+)@[^\n]*:\n {2}version "([^"]+)"/gm,
  );
}

function named(text: string, entry: RegExp): LockedPackage[] {
  return [...text.matchAll(entry)].map(([, name = '', version = '']) => ({ name, version }));
}

const composerLock = z.object({
  packages: z.array(z.object({ name: z.string(), version: z.string() })),
  'packages-dev': z.array(z.object({ name: z.string(), version: z.string() })),
});

export function readComposerLock(path: string): LockedPackage[] {
  const lock = composerLock.parse(JSON.parse(readFileSync(dataFile(path), 'utf8')));
  return [...lock.packages, ...lock['packages-dev']];
}
