import * as z from 'zod';
import { type PackageJson, readPackageJson } from '../manifest.js';
import { peersOf } from '../npm/package-lock.js';
import type { Reading, Scope } from '../package-list.js';
import type { Entrances } from '../scopes.js';
import { parseShape, parseYaml, type Source } from '../source.js';
import { type Resolution, readResolutions } from './yarn-graph.js';

const ranges = z.record(z.string(), z.string()).default({});

const berryEntry = z.object({
  version: z.string(),
  resolution: z.string(),
  dependencies: ranges,
  peerDependencies: z.record(z.string(), z.unknown()).optional(),
  peerDependenciesMeta: z.record(z.string(), z.unknown()).optional(),
  dependenciesMeta: z.record(z.string(), z.object({ optional: z.string().optional() })).default({}),
});

const lock = z.object({ __metadata: z.object({ version: z.string() }) }).catchall(berryEntry);

type BerryEntry = z.output<typeof berryEntry>;
type Wanted = readonly [name: string, range: string];
type Follow = (wanted: readonly Wanted[]) => string[];

/** `@scope/a@npm:1.0.0` is the package `@scope/a`, found with the protocol `npm`; `a@git@host:b.git` names no protocol. */
const resolved = /^(?<name>@?[^@]+)@(?:(?<protocol>[a-z+]+):)?(?<rest>.*)$/;

/** Protocols whose package is a folder of the project. */
const folders = ['workspace', 'link', 'portal'];

/**
 * yarn.lock of Yarn 2 and later. It names the workspaces and what they depend on; their package.json files beside it
 * tell what of that is for development, and a workspace without one is taken as runtime.
 */
export async function readYarnBerry(source: Source): Promise<Reading> {
  const { __metadata, ...found } = parseShape(source, lock, parseYaml(source).at(-1));
  const byDescriptor = new Map(
    Object.entries(found).flatMap(([descriptors, entry]) =>
      descriptors.split(', ').map((descriptor) => [descriptor, identityOf(entry)]),
    ),
  );
  const entries = Object.values(found);
  const follow: Follow = (wanted) =>
    wanted.flatMap(
      ([name, range]) => byDescriptor.get(`${name}@${range}`) ?? byDescriptor.get(`${name}@npm:${range}`) ?? [],
    );
  const entrances = await readEntrances(source, entries, follow);
  const direct = new Set(Object.values(entrances).flat());
  const resolutions = entries.map((entry) => toResolution(entry, follow));
  return readResolutions(source, resolutions, entrances, (identity) => direct.has(identity));
}

async function readEntrances(source: Source, entries: readonly BerryEntry[], follow: Follow): Promise<Entrances> {
  const entrances: Record<Scope, string[]> = { runtime: [], optional: [], development: [] };
  for (const entry of entries) {
    const { protocol, rest: folder = '.' } = partsOf(entry);
    if (protocol !== 'workspace') continue;
    const manifest = await readPackageJson(source, folder);
    for (const wanted of Object.entries(entry.dependencies)) {
      entrances[sectionOf(wanted[0], entry, manifest)].push(...follow([wanted]));
    }
  }
  return entrances;
}

function toResolution(entry: BerryEntry, follow: Follow): Resolution {
  const { name = entry.resolution, protocol = '' } = partsOf(entry);
  const wanted = Object.entries(entry.dependencies);
  const isOptional = ([dependency]: Wanted) => entry.dependenciesMeta[dependency]?.optional === 'true';
  return {
    identity: identityOf(entry),
    name,
    version: entry.version,
    ...peersOf(entry),
    skipped: folders.includes(protocol) ? 'is a folder of the project' : null,
    // What a workspace needs enters the graph by its section, not through the workspaces that use it.
    edges:
      protocol === 'workspace'
        ? { required: [], optional: [] }
        : { required: follow(wanted.filter((edge) => !isOptional(edge))), optional: follow(wanted.filter(isOptional)) },
  };
}

/** The lock file lists what a workspace needs in one list; its manifest knows the section. */
function sectionOf(name: string, entry: BerryEntry, manifest: PackageJson | null): Scope {
  if (manifest !== null && Object.hasOwn(manifest.devDependencies, name) && !Object.hasOwn(manifest.dependencies, name))
    return 'development';
  return entry.dependenciesMeta[name]?.optional === 'true' ? 'optional' : 'runtime';
}

function partsOf({ resolution }: BerryEntry): Partial<Record<'name' | 'protocol' | 'rest', string>> {
  return resolved.exec(resolution)?.groups ?? {};
}

/** A workspace by its place, all else by name and version, so that a patched copy counts as the package it patches. */
function identityOf(entry: BerryEntry): string {
  const { name = entry.resolution, protocol } = partsOf(entry);
  return folders.includes(protocol ?? '') ? entry.resolution : `${name}@${entry.version}`;
}
