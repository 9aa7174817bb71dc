import * as z from 'zod';
import { PackageList, type Reading, type Scope } from '../package-list.js';
import { closestToProduction, scopesFrom } from '../scopes.js';
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
 * Cargo.lock (https://doc.rust-lang.org/cargo/guide/cargo-toml-vs-cargo-lock.html). It lists what a crate of the project
 * needs in one list; the crate's Cargo.toml, looked for beside the lock file and in the workspace's folders, knows the
 * section. What a crate without one needs is taken as runtime.
 */
export async function readCargoLock(source: Source): Promise<Reading> {
  const { package: found } = parseShape(source, lock, parseToml(source));
  const byName = new Map<string, CargoPackage[]>();
  for (const each of found) byName.set(each.name, [...(byName.get(each.name) ?? []), each]);
  const follow = (wanted: readonly string[]) =>
    wanted.flatMap((reference) => {
      const [name = '', version] = reference.split(' ');
      const named = byName.get(name) ?? [];
      return named.filter((each) => version === undefined || each.version === version).map(keyOf);
    });
  const edges = new Map(found.map((each) => [keyOf(each), follow(each.dependencies)]));
  const own = found.filter(({ source: origin }) => origin === undefined);
  const entrances: Record<Scope, string[]> = { runtime: [], optional: [], development: [] };
  const root = await readCargoToml(source);
  for (const crate of own) {
    const sections = await sectionsOf(source, crate, own, root);
    for (const reference of crate.dependencies) {
      for (const scope of scopesIn(sections, reference.split(' ', 1)[0] ?? '')) {
        entrances[scope].push(...follow([reference]));
      }
    }
  }
  const ownKeys = new Set(own.map(keyOf));
  // What a crate of the project needs enters by its section, not through the crates that use it.
  const scopes = scopesFrom(entrances, (key) => ({
    required: ownKeys.has(key) ? [] : (edges.get(key) ?? []),
    optional: [],
  }));
  const direct = new Set(Object.values(entrances).flat());

  const list = new PackageList(source.file, 'crates.io');
  for (const each of found) {
    if (each.source === undefined) list.skip('is a folder of the project');
    else if (each.source.startsWith('git+')) list.skip('comes from a Git repository');
    else {
      list.add({
        key: keyOf(each),
        name: each.name,
        version: each.version,
        scope: closestToProduction([scopes.get(keyOf(each))]),
        direct: direct.has(keyOf(each)),
        deprecated: null,
        dependencies: edges.get(keyOf(each)) ?? [],
      });
    }
  }
  return list.finish();
}

/** What a crate of the project names in its manifest; null where that is not found. */
async function sectionsOf(
  source: Source,
  crate: CargoPackage,
  own: readonly CargoPackage[],
  root: CargoToml | null,
): Promise<Readonly<Record<Scope, ReadonlySet<string>>> | null> {
  if (root === null) return null;
  const members = root.workspace.members;
  if (members.length === 0 && own.length === 1) return cratesOf(root, root);
  const folders = members.flatMap((member) => {
    if (member.includes('*')) return member.replace('*', crate.name);
    return member === crate.name || member.endsWith(`/${crate.name}`) ? member : [];
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
