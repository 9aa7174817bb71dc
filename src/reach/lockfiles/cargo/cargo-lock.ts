import { posix } from 'node:path';
import * as z from 'zod';
import { groupBy } from '../group-by.js';
import { memberFolders } from '../members.js';
import { PackageList, type Reading, type Scope } from '../package-list.js';
import { type Ask, askersFrom } from '../ranges.js';
import { fieldsFrom } from '../scopes.js';
import { parseShape, parseToml, type Source } from '../source.js';
import { cratesOf, readCargoToml, type WantedCrate } from './cargo-toml.js';

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
  const manifests = await manifestsOf(source, members);
  const asks: Ask[] = [];
  for (const crate of members) {
    const { file, crates } = manifests.get(crate.name) ?? { file: 'Cargo.toml', crates: [] };
    for (const reference of crate.dependencies) {
      for (const { scope, range, isInherited } of named(crates, reference.split(' ', 1)[0])) {
        for (const key of keysFor([reference])) {
          roots[scope].push(key);
          asks.push([key, isInherited ? 'Cargo.toml' : file, range]);
        }
      }
    }
  }
  // Where a manifest is missing, its crate may be one more who asks.
  const areAllKnown = members.every(({ name }) => manifests.has(name));
  const askersOf = askersFrom(areAllKnown ? asks : []);
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
      const { asked } = askersOf(keyOf(each));
      const dependencies = keysFor(each.dependencies);
      list.add({ ...fieldsOf(keyOf(each)), ...(asked && { asked }), name, version, dependencies });
    }
  }
  return list.finish();
}

/** What a member's Cargo.toml asks for, and the path of that file. */
interface Manifest {
  readonly file: string;
  readonly crates: readonly WantedCrate[];
}

/** The manifests of the members that are found, by the member's name. */
async function manifestsOf(source: Source, members: readonly CargoPackage[]): Promise<ReadonlyMap<string, Manifest>> {
  const manifests = new Map<string, Manifest>();
  const root = await readCargoToml(source);
  if (root === null) return manifests;
  const [only, ...others] = members;
  const rootName = root.package?.name ?? (others.length === 0 ? only?.name : undefined);
  if (rootName !== undefined) manifests.set(rootName, { file: 'Cargo.toml', crates: cratesOf(root, root) });
  const { members: included, exclude } = root.workspace;
  const patterns = [...included, ...exclude.map((pattern) => `!${pattern}`)];
  for (const folder of (await memberFolders(source, patterns, 'Cargo.toml')).folders) {
    const manifest = await readCargoToml(source, folder);
    if (manifest?.package === undefined) continue;
    manifests.set(manifest.package.name, { file: posix.join(folder, 'Cargo.toml'), crates: cratesOf(manifest, root) });
  }
  return manifests;
}

/** How a manifest asks for a crate, once for each section that names it. One that no known section names counts as runtime. */
function named(crates: readonly WantedCrate[], crateName = ''): readonly WantedCrate[] {
  const wanted = crates.filter(({ name }) => name === crateName);
  return wanted.length === 0 ? [{ name: crateName, scope: 'runtime', range: null, isInherited: false }] : wanted;
}

function keyOf({ name, version }: CargoPackage): string {
  return `${name}@${version}`;
}
