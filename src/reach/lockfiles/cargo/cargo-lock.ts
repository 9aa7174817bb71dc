import * as z from 'zod';
import { groupBy } from '../group-by.js';
import { PackageList, type Reading, type Scope } from '../package-list.js';
import { fieldsFrom } from '../scopes.js';
import { parseShape, parseToml, type Source } from '../source.js';
import { type CargoToml, cratesOf, readCargoToml } from './cargo-toml.js';

const cargoPackage = z.object({
  name: z.string(),
  version: z.string(),
  source: z.string().optional(),
  dependencies: z.array(z.string()).default([]),
});

const lock = z.object({ package: z.array(cargoPackage) });

type CargoPackage = z.output<typeof cargoPackage>;

/**
 * Cargo.lock (https://doc.rust-lang.org/cargo/guide/cargo-toml-vs-cargo-lock.html). It has one list of a crate's
 * dependencies. The Cargo.toml of the crate, in the lock file's folder or a folder of the workspace, knows the section of
 * each. Without a Cargo.toml all of them count as runtime.
 */
export async function readCargoLock(source: Source): Promise<Reading> {
  const { package: found } = parseShape(source, lock, parseToml(source));
  const byName = groupBy(found, ({ name }) => name);
  const keysFor = (wanted: readonly string[]) =>
    wanted.flatMap((reference) => {
      const [name = '', version] = reference.split(' ');
      const named = byName.get(name) ?? [];
      return named.filter((each) => version === undefined || each.version === version).map(keyOf);
    });
  const members = found.filter(({ source: origin }) => origin === undefined);
  const roots: Record<Scope, string[]> = { runtime: [], optional: [], development: [] };
  const root = await readCargoToml(source);
  for (const crate of members) {
    const sections = await sectionsOf(source, crate, members.length, root);
    for (const reference of crate.dependencies) {
      for (const scope of scopesIn(sections, reference.split(' ', 1)[0] ?? '')) {
        roots[scope].push(...keysFor([reference]));
      }
    }
  }
  const memberKeys = new Set(members.map(keyOf));
  // The dependencies of a member are roots, by section; they do not count for the members that use it.
  const edges = found
    .filter((each) => !memberKeys.has(keyOf(each)))
    .map((each) => [keyOf(each), { required: keysFor(each.dependencies) }] as const);
  const fieldsOf = fieldsFrom(roots, new Map(edges));

  const list = new PackageList(source.file, 'crates.io');
  for (const each of found) {
    if (each.source === undefined) list.own({ name: each.name, at: keyOf(each) });
    else if (each.source.startsWith('git+')) {
      const { name, version: stated } = each;
      list.unread({ name, reason: 'git', stated, at: keyOf(each) }, keysFor(each.dependencies));
    } else {
      const { name, version } = each;
      list.add({ ...fieldsOf(keyOf(each)), name, version, dependencies: keysFor(each.dependencies) });
    }
  }
  return list.finish();
}

/** The crates that a member's manifest names, by scope; null where the manifest is not found. */
async function sectionsOf(
  source: Source,
  crate: CargoPackage,
  memberCount: number,
  root: CargoToml | null,
): Promise<Readonly<Record<Scope, ReadonlySet<string>>> | null> {
  if (root === null) return null;
  const patterns = root.workspace.members;
  if (patterns.length === 0 && memberCount === 1) return cratesOf(root, root);
  const folders = patterns.flatMap((pattern) => {
    if (pattern.includes('*')) return pattern.replace('*', crate.name);
    return pattern === crate.name || pattern.endsWith(`/${crate.name}`) ? pattern : [];
  });
  for (const folder of folders) {
    const manifest = await readCargoToml(source, folder);
    if (manifest !== null) return cratesOf(manifest, root);
  }
  return null;
}

function scopesIn(sections: Readonly<Record<Scope, ReadonlySet<string>>> | null, name: string): Scope[] {
  const found = (['runtime', 'optional', 'development'] as const).filter((scope) => sections?.[scope].has(name));
  return found.length === 0 ? ['runtime'] : found;
}

function keyOf({ name, version }: CargoPackage): string {
  return `${name}@${version}`;
}
