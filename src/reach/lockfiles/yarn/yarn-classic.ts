import { posix } from 'node:path';
import * as z from 'zod';
import {
  askedRange,
  type Installed,
  installed,
  type PackageJson,
  readPackageJson,
  registryRange,
  rootsBySection,
} from '../manifest.js';
import { memberFolders } from '../members.js';
import { foreignOrigin, originOf } from '../origin.js';
import type { Reading } from '../package-list.js';
import { type Ask, askersFrom, type Edge, toEdges } from '../ranges.js';
import { splitReference } from '../reference.js';
import { LockfileError, type Source } from '../source.js';
import { tarballAt } from '../tarball.js';
import { readClassicPeers } from './classic-peers.js';
import { type ClassicEntry, parseClassic } from './yarn-classic-text.js';
import { readResolutions } from './yarn-graph.js';

type EdgesTo = (wanted: Iterable<readonly [name: string, range: string]>) => Edge[];

/** A package.json of the project, by its path. */
interface Manifest {
  readonly file: string;
  readonly content: PackageJson;
}

/**
 * yarn.lock of Yarn 1. Only the package.json files of the project show what is direct and what is for development. Where one of a
 * workspace cannot be found, all packages count as runtime. Nor does the file name peers: classic-peers.ts finds them.
 */
export async function readYarnClassic(source: Source): Promise<Reading> {
  const entries = parseClassic(source);
  if (entries.length === 0 && !source.text.includes('yarn lockfile v1')) {
    throw new LockfileError(source.file, 'is not a yarn.lock: expected `# yarn lockfile v1` or `__metadata:`');
  }
  const byPattern = new Map(entries.flatMap((entry) => entry.patterns.map((pattern) => [pattern, identityOf(entry)])));
  const edgesTo: EdgesTo = (wanted) =>
    [...wanted].flatMap(([name, range]): Edge[] => {
      const key = byPattern.get(`${name}@${range}`);
      return key === undefined ? [] : [[key, registryRange(range)]];
    });

  const peers = await readClassicPeers(source, [...new Set(entries.map(nameOf))]);
  const resolutions = entries.map((entry) => ({
    identity: identityOf(entry),
    name: nameOf(entry),
    ...withPeers(peers.of(nameOf(entry))),
    hasHiddenDependents: peers.mayExpect(nameOf(entry)),
    version: entry.fields.get('version'),
    ...tarballOf(entry),
    elsewhere: foreignOrigin(entry.fields.get('resolved')) ?? statedOrigin(entry),
    skipped: rangeOf(entry).startsWith('link:') ? 'is a folder of the project' : null,
    edges: toEdges(edgesTo(entry.dependencies), edgesTo(entry.optionalDependencies)),
  }));
  const root = await readPackageJson(source);
  const manifests = root && (await manifestsOf(source, root));
  if (manifests) {
    const asksIn = (section: Installed) =>
      manifests.flatMap(({ file, content }) =>
        Object.entries(content[section]).flatMap((wanted) =>
          edgesTo([wanted]).map(([key]): Ask => [key, file, askedRange(wanted[1])]),
        ),
      );
    const roots = rootsBySection((section) => asksIn(section).map(([key]) => key));
    return readResolutions(source, resolutions, roots, askersFrom(installed.flatMap(asksIn)));
  }
  const direct = new Set(
    installed.flatMap((section) => edgesTo(Object.entries(root?.[section] ?? {}))).map(([key]) => key),
  );
  const unknown = { runtime: [], optional: [], development: [] };
  return readResolutions(source, resolutions, unknown, (identity) => ({ direct: direct.has(identity) || null }));
}

const workspaces = z.union([
  z.array(z.string()),
  z.object({ packages: z.array(z.string()) }).transform((of) => of.packages),
]);

/** All manifests of a project (https://classic.yarnpkg.com/lang/en/docs/workspaces/); null where not all of them are known. */
async function manifestsOf(source: Source, root: PackageJson): Promise<readonly Manifest[] | null> {
  const patterns = workspaces.safeParse(root.workspaces ?? []);
  if (!patterns.success) return null;
  const { folders, complete } = await memberFolders(source, patterns.data, 'package.json');
  if (!complete) return null;
  const manifests: Manifest[] = [{ file: 'package.json', content: root }];
  for (const folder of folders) {
    const content = await readPackageJson(source, folder);
    if (content !== null) manifests.push({ file: posix.join(folder, 'package.json'), content });
  }
  return manifests;
}

function withPeers(peers: readonly string[]): { readonly peers?: readonly string[] } {
  return peers.length === 0 ? {} : { peers };
}

/** The name in the registry: `lodash` for the pattern `lodash@^4.0.0`, and for its alias `old@npm:lodash@^3.0.0`. */
function nameOf({ patterns }: ClassicEntry): string {
  const { name, rest: range } = splitReference(patterns[0] ?? '');
  return range.startsWith('npm:') ? splitReference(range.slice(4)).name : name;
}

/** The origin by what asks for it: a folder has no address in the file. */
function statedOrigin(entry: ClassicEntry) {
  const range = rangeOf(entry);
  return /^(?:file:|git[+:@]|\.{0,2}\/)/.test(range) ? originOf(range) : null;
}

function rangeOf({ patterns }: ClassicEntry): string {
  return splitReference(patterns[0] ?? '').rest;
}

function identityOf(entry: ClassicEntry): string {
  return `${nameOf(entry)}@${entry.fields.get('version') ?? ''}`;
}

/** Files of Yarn before 1.10 have the SHA-1 of the archive behind its address, and no integrity. */
function tarballOf({ fields }: ClassicEntry) {
  const [url = '', sha1 = ''] = (fields.get('resolved') ?? '').split('#');
  const digest = /^[\da-f]{40}$/.test(sha1) ? `sha1-${Buffer.from(sha1, 'hex').toString('base64')}` : null;
  return tarballAt(url === '' ? null : url, fields.get('integrity') ?? digest);
}
