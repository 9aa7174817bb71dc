import { readPackageJson, rootsBySection } from '../manifest.js';
import { foreignOrigin, originOf } from '../origin.js';
import type { Reading } from '../package-list.js';
import { splitReference } from '../reference.js';
import { LockfileError, type Source } from '../source.js';
import { tarballAt } from '../tarball.js';
import { readClassicPeers } from './classic-peers.js';
import { type ClassicEntry, parseClassic } from './yarn-classic-text.js';
import { readResolutions } from './yarn-graph.js';

type KeysFor = (ranges: Iterable<readonly [name: string, range: string]>) => string[];

/**
 * yarn.lock of Yarn 1. Only the package.json in its folder shows what is direct and what is for development. The file does
 * not name the manifests of workspaces, so in a project with workspaces all packages count as runtime. Nor does it name
 * peers: classic-peers.ts finds them.
 */
export async function readYarnClassic(source: Source): Promise<Reading> {
  const entries = parseClassic(source);
  if (entries.length === 0 && !source.text.includes('yarn lockfile v1')) {
    throw new LockfileError(source.file, 'is not a yarn.lock: expected `# yarn lockfile v1` or `__metadata:`');
  }
  const byPattern = new Map(entries.flatMap((entry) => entry.patterns.map((pattern) => [pattern, identityOf(entry)])));
  const keysFor: KeysFor = (ranges) => [...ranges].flatMap(([name, range]) => byPattern.get(`${name}@${range}`) ?? []);

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
    edges: { required: keysFor(entry.dependencies), optional: keysFor(entry.optionalDependencies) },
  }));
  const manifest = await readPackageJson(source);
  const roots = rootsBySection((section) => keysFor(Object.entries(manifest?.[section] ?? {})));
  if (manifest !== null && manifest.workspaces === undefined) return readResolutions(source, resolutions, roots);
  const direct = new Set(Object.values(roots).flat());
  const unknown = { runtime: [], optional: [], development: [] };
  return readResolutions(source, resolutions, unknown, (identity) => direct.has(identity) || null);
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
