import * as z from 'zod';
import { rowsOf } from '../../knowledge/knowledge.js';
import { groupBy } from '../group-by.js';
import { peerFields, peersOf } from '../manifest.js';
import { LockfileError, parseJson, type Source, unlessInvalid } from '../source.js';

/** Peers of the packages of a lock file that does not say them. */
export interface ClassicPeers {
  /** Names of the package's peers, optional ones included. */
  of(packageName: string): readonly string[];
  /** Whether a package that is not known here may expect this one as a peer. */
  mayExpect(packageName: string): boolean;
}

/** Manifests of installed packages that are read; the largest project that we know of has half. */
const maxManifests = 5000;

/** Packages without code that runs with others: types, settings of the compiler, hooks of Git. */
const withoutCode = /^(?:@types\/|@tsconfig\/|(?:husky|lint-staged)$)/;

const manifestFields = z.object(peerFields);

/**
 * The peers of packages that Yarn 1 installs: from their manifests in node_modules where they are installed, and from the
 * table of much used packages.
 */
export async function readClassicPeers(source: Source, packageNames: readonly string[]): Promise<ClassicPeers> {
  const installed = await readInstalled(source, packageNames);
  const table = new Map(Object.entries(rowsOf('javascript/peers')));
  const expected = new Set([...table.values()].flat());
  const unknown = new Set(packageNames.filter((name) => !installed.has(name) && !table.has(name)));
  const unknownByScope = groupBy(unknown, scopeOf);
  return {
    of: (name) => [...new Set([...(installed.get(name) ?? []), ...(table.get(name) ?? [])])],
    mayExpect(name) {
      if (withoutCode.test(name)) return false;
      const others = (group: { readonly size: number }) => group.size - (unknown.has(name) ? 1 : 0);
      if (others(unknown) === 0) return false;
      // Packages of one scope often expect each other.
      const family = { size: name.startsWith('@') ? (unknownByScope.get(scopeOf(name))?.length ?? 0) : 0 };
      return expected.has(name) || others(family) > 0;
    },
  };
}

function scopeOf(name: string): string {
  return name.startsWith('@') ? name.slice(0, name.indexOf('/')) : '';
}

/** The peers of each package whose manifest lies in node_modules. `yarn install` leaves a file that says it has run. */
async function readInstalled(source: Source, packageNames: readonly string[]): Promise<Map<string, string[]>> {
  const installed = new Map<string, string[]>();
  if ((await readOrNull(source, 'node_modules/.yarn-integrity')) === null) return installed;
  for (const name of packageNames.slice(0, maxManifests)) {
    const manifest = await readOrNull(source, `node_modules/${name}/package.json`);
    if (manifest !== null) installed.set(name, peersIn(manifest));
  }
  return installed;
}

/** An installed file that cannot be read is like one that is not there. */
function readOrNull(source: Source, path: string): Promise<Source | null> {
  return unlessInvalid(() => source.readRelative(path), null);
}

function peersIn(manifest: Source): string[] {
  try {
    return [...(peersOf(manifestFields.parse(parseJson(manifest))).peers ?? [])];
  } catch (error) {
    if (error instanceof LockfileError || error instanceof z.ZodError) return [];
    throw error;
  }
}
