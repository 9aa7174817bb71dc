import { posix } from 'node:path';
import * as z from 'zod';
import { inFolder } from '../../languages/tree-path.js';
import { askedRange, peersOf, readPackageJson, registryRange } from '../manifest.js';
import { foreignOrigin } from '../origin.js';
import { PackageList, type Reading, type Scope } from '../package-list.js';
import { type Ask, askersFrom, type Edge, rangesOf } from '../ranges.js';
import { LockfileError, parseJson, parseShape, type Source } from '../source.js';
import { tarballAt } from '../tarball.js';
import { type PackageEntry, packageEntry } from './package-entry.js';
import { flattenTree } from './package-lock-v1.js';

type Tree = ReadonlyMap<string, PackageEntry>;

const head = z.object({ lockfileVersion: z.int().default(1), packages: z.unknown().optional() });
const lockV2 = z.object({ packages: z.record(z.string(), packageEntry) });

/** Characters; no file system has longer paths (PATH_MAX of Linux). */
const maxPathLength = 4096;

/** package-lock.json and npm-shrinkwrap.json, lockfileVersion 1 (as also written by npm 4 and older), 2 and 3. */
export async function readPackageLock(source: Source): Promise<Reading> {
  const document = parseJson(source);
  const { lockfileVersion, packages } = parseShape(source, head, document);
  if (lockfileVersion < 1 || lockfileVersion > 3) {
    throw new LockfileError(source.file, `lockfileVersion: is ${lockfileVersion}; expected 1, 2 or 3`);
  }
  if (lockfileVersion > 1 || packages !== undefined) {
    const tree = new Map(Object.entries(parseShape(source, lockV2, document).packages));
    return readTree(source, tree);
  }
  const tree = flattenTree(source, document);
  const manifest = await readPackageJson(source);
  if (manifest !== null) tree.set('', manifest);
  return readTree(source, tree);
}

/** The place of an installed package. Any other path is a folder of the project: the root, a workspace or a link's target. */
const installed = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/;

function readTree(source: Source, tree: Tree): Reading {
  const list = new PackageList(source.file, 'npm');
  const askersOf = askersFrom(asksIn(source, tree));
  for (const [location, entry] of tree) {
    const name = entry.name ?? installed.exec(location)?.[1];
    if (!installed.test(location) || name === undefined) continue;
    if (entry.link) list.own({ name, at: location, as: 'is a link to a folder of the project' });
    else if (entry.extraneous) list.skip('is extraneous: nothing asks for it');
    else {
      const elsewhere = foreignOrigin(typeof entry.resolved === 'string' ? entry.resolved : undefined);
      if (elsewhere !== null && entry.version !== undefined) list.doubt({ name, ...elsewhere, at: location });
      list.add(
        {
          key: location,
          name,
          version: entry.version,
          scope: scopeOf(entry),
          ...(tree.has('') ? askersOf(location) : { direct: null }),
          ...(entry.peer ? { peer: true } : {}),
          ...bundleOf(tree, location),
          ...peersOf(entry),
          ...tarballOf(entry),
          deprecated: deprecation(entry.deprecated),
          ...edgesOf(tree, location, entry),
        },
        location,
      );
    }
  }
  return list.finish();
}

/** What the root, each workspace and each folder that is linked asks for. */
function asksIn(source: Source, tree: Tree): Ask[] {
  return [...tree].flatMap(([location, entry]) => {
    if (location.length > maxPathLength) {
      throw new LockfileError(
        source.file,
        `packages: a path is longer than ${maxPathLength} characters; expected as node_modules/name`,
      );
    }
    if (installed.test(location)) return [];
    const file = posix.join(location, 'package.json');
    return Object.entries({ ...wantedBy(entry), ...entry.devDependencies }).flatMap(([name, range]): Ask[] => {
      const found = resolve(tree, location, name);
      return found === null ? [] : [[found, file, askedRange(range)]];
    });
  });
}

function edgesOf(tree: Tree, location: string, entry: PackageEntry) {
  const edges = Object.entries(wantedBy(entry)).flatMap(([name, range]): Edge[] => {
    const found = resolve(tree, location, name);
    // One that should be there and is not leads nowhere; optional ones and peers may be missing.
    if (found === null && !Object.hasOwn(entry.dependencies ?? {}, name)) return [];
    return [[found ?? name, registryRange(range)]];
  });
  return { dependencies: edges.map(([key]) => key), ...rangesOf(edges) };
}

/** The ranges of what is installed for a package. Of several for one name npm takes the last. */
function wantedBy({ peerDependencies, dependencies, optionalDependencies }: PackageEntry) {
  return { ...peerDependencies, ...dependencies, ...optionalDependencies };
}

/**
 * npm marks a package `dev` when only development dependencies lead to it, and `optional` when only optional ones do.
 * `devOptional` means that both kinds lead to it, so that production may have it.
 */
function scopeOf({ dev, optional, devOptional }: PackageEntry): Scope {
  if (dev) return 'development';
  return optional || devOptional ? 'optional' : 'runtime';
}

const lastStep = /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/;

/** The nearest entry above that is in no bundle. What the project itself bundles can be replaced as anything else. */
function bundleOf(tree: Tree, location: string): { readonly bundledIn?: string } {
  let holder = location;
  while (tree.get(holder)?.inBundle === true) holder = holder.replace(lastStep, '');
  return holder === location || !installed.test(holder) ? {} : { bundledIn: holder };
}

function tarballOf({ resolved, integrity }: PackageEntry) {
  return tarballAt(typeof resolved === 'string' ? resolved : null, integrity ?? null);
}

function deprecation(text: string | boolean | undefined): string | null {
  if (typeof text === 'string' && text.trim() !== '') return text.trim();
  return text === true ? 'deprecated' : null;
}

/** How Node searches (https://nodejs.org/api/modules.html#loading-from-node_modules-folders): the nearest node_modules upwards. */
function resolve(tree: Tree, location: string, name: string): string | null {
  for (let folder = location; ; folder = parentOf(folder)) {
    const found = inFolder(folder, `node_modules/${name}`);
    if (tree.has(found)) return found;
    if (folder === '') return null;
  }
}

function parentOf(folder: string): string {
  const parent = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
  return parent.replace(/(?:^|\/)node_modules$/, '');
}
