import { posix } from 'node:path';
import * as z from 'zod';
import {
  askedRange,
  type PackageJson,
  peerFields,
  peersOf,
  ranges,
  readPackageJson,
  registryRange,
} from '../manifest.js';
import { originOf } from '../origin.js';
import type { Reading, Scope } from '../package-list.js';
import { type Ask, askersFrom, type Edge, toEdges } from '../ranges.js';
import { parseShape, parseYaml, type Source } from '../source.js';
import { type Resolution, readResolutions } from './yarn-graph.js';

const berryEntry = z.object({
  version: z.string(),
  resolution: z.string(),
  dependencies: ranges,
  ...peerFields,
  dependenciesMeta: z.record(z.string(), z.object({ optional: z.string().optional() })).default({}),
});

const lock = z.object({ __metadata: z.object({ version: z.string() }) }).catchall(berryEntry);

type BerryEntry = z.output<typeof berryEntry>;
type Wanted = readonly [name: string, range: string];
type EdgesTo = (wanted: readonly Wanted[]) => Edge[];

/** `@scope/a@npm:1.0.0` is the package `@scope/a`, found with the protocol `npm`; `a@git@host:b.git` names no protocol. */
const resolved = /^(?<name>@?[^@]+)@(?:(?<protocol>[a-z+]+):)?(?<rest>.*)$/;

/** Protocols of packages that are in a registry. A patch is on one. */
const fromRegistry = ['npm', 'patch'];

/** Protocols whose package is a folder of the project. */
const folders = ['workspace', 'link', 'portal'];

/**
 * yarn.lock of Yarn 2 and later. It names the workspaces and their dependencies. The package.json of each workspace shows
 * which of these are for development; without one all of them count as runtime.
 */
export async function readYarnBerry(source: Source): Promise<Reading> {
  const { __metadata, ...found } = parseShape(source, lock, parseYaml(source).at(-1));
  const byDescriptor = new Map(
    Object.entries(found).flatMap(([descriptors, entry]) =>
      descriptors.split(', ').map((descriptor) => [descriptor, identityOf(entry)]),
    ),
  );
  const entries = Object.values(found);
  const edgesTo: EdgesTo = (wanted) =>
    wanted.flatMap(([name, range]) => {
      const key = byDescriptor.get(`${name}@${range}`) ?? byDescriptor.get(`${name}@npm:${range}`);
      return key === undefined ? [] : [[key, registryRange(range)]];
    });
  const { roots, asks } = await readWorkspaces(source, entries, edgesTo);
  const resolutions = entries.map((entry) => toResolution(entry, edgesTo));
  return readResolutions(source, resolutions, roots, askersFrom(asks));
}

async function readWorkspaces(source: Source, entries: readonly BerryEntry[], edgesTo: EdgesTo) {
  const roots: Record<Scope, string[]> = { runtime: [], optional: [], development: [] };
  const asks: Ask[] = [];
  for (const entry of entries) {
    const { protocol, rest: folder = '.' } = partsOf(entry);
    if (protocol !== 'workspace') continue;
    const manifest = await readPackageJson(source, folder);
    for (const wanted of Object.entries(entry.dependencies)) {
      for (const [key] of edgesTo([wanted])) {
        roots[sectionOf(wanted[0], entry, manifest)].push(key);
        asks.push([key, posix.join(folder, 'package.json'), askedRange(wanted[1])]);
      }
    }
  }
  return { roots, asks };
}

function toResolution(entry: BerryEntry, edgesTo: EdgesTo): Resolution {
  const { name = entry.resolution, protocol = '', rest = '' } = partsOf(entry);
  const wanted = Object.entries(entry.dependencies);
  const isOptional = ([dependency]: Wanted) => entry.dependenciesMeta[dependency]?.optional === 'true';
  return {
    identity: identityOf(entry),
    name,
    version: entry.version,
    ...peersOf(entry),
    elsewhere: fromRegistry.includes(protocol) ? null : { ...originOf(`${protocol}:${rest}`) },
    skipped: folders.includes(protocol) ? 'is a folder of the project' : null,
    // The dependencies of a workspace are roots, by section; they do not count for the workspaces that use it.
    edges:
      protocol === 'workspace'
        ? { required: [] }
        : toEdges(edgesTo(wanted.filter((edge) => !isOptional(edge))), edgesTo(wanted.filter(isOptional))),
  };
}

/** The lock file has one list of a workspace's dependencies; the manifest knows the section of each. */
function sectionOf(name: string, entry: BerryEntry, manifest: PackageJson | null): Scope {
  if (manifest !== null && Object.hasOwn(manifest.devDependencies, name) && !Object.hasOwn(manifest.dependencies, name))
    return 'development';
  return entry.dependenciesMeta[name]?.optional === 'true' ? 'optional' : 'runtime';
}

function partsOf({ resolution }: BerryEntry): Partial<Record<'name' | 'protocol' | 'rest', string>> {
  return resolved.exec(resolution)?.groups ?? {};
}

/** A workspace by its folder, the rest by name and version: a patched copy then counts as the package that it patches. */
function identityOf(entry: BerryEntry): string {
  const { name = entry.resolution, protocol } = partsOf(entry);
  return folders.includes(protocol ?? '') ? entry.resolution : `${name}@${entry.version}`;
}
