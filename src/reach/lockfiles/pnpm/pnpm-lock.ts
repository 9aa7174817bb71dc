import { posix } from 'node:path';
import * as z from 'zod';
import { groupBy } from '../group-by.js';
import { askedRange, installed, peerFields, peersOf, ranges, rootsBySection, toolIn } from '../manifest.js';
import { originOf } from '../origin.js';
import { withOverrides } from '../own-overrides.js';
import { PackageList, type Reading } from '../package-list.js';
import { askersFrom } from '../ranges.js';
import { splitReference } from '../reference.js';
import { closestToProduction, type Edges, scopesFrom } from '../scopes.js';
import { LockfileError, parseShape, parseYaml, type Source } from '../source.js';
import { tarballAt } from '../tarball.js';

const section = z.record(z.string(), z.object({ specifier: z.string().optional(), version: z.string() })).default({});
const importer = z.object({ dependencies: section, devDependencies: section, optionalDependencies: section });
const references = z.object({ dependencies: ranges, optionalDependencies: ranges });

const packageEntry = references.extend({
  name: z.string().optional(),
  version: z.string().optional(),
  deprecated: z.string().optional(),
  resolution: z
    .object({ type: z.string().optional(), tarball: z.string().optional(), integrity: z.string().optional() })
    .optional(),
  ...peerFields,
});

/** A file of a project without workspaces may have its sections at the top (version 6). */
const lock = importer.extend({
  importers: z.record(z.string(), importer).optional(),
  packages: z.record(z.string(), packageEntry).default({}),
  snapshots: z.record(z.string(), references).optional(),
  overrides: z.record(z.string(), z.unknown()).default({}),
});

const head = z.object({ lockfileVersion: z.string() });

type Lock = z.output<typeof lock>;

/**
 * pnpm-lock.yaml, lockfileVersion 6, 7 and 9 (https://pnpm.io/lockfile). Of several documents the last one is the
 * project's; an earlier one describes pnpm itself. A package that is installed for several sets of peers counts once.
 */
export async function readPnpmLock(source: Source): Promise<Reading> {
  const document = parseYaml(source).at(-1);
  const { lockfileVersion } = parseShape(source, head, document);
  if (!/^[679](?:\.\d+)?$/.test(lockfileVersion)) {
    const advice = 'expected 6, 7 or 9, as pnpm 8 and later write: run `pnpm install --lockfile-only` with one of them';
    throw new LockfileError(source.file, `lockfileVersion: is ${lockfileVersion.slice(0, 20)}; ${advice}`);
  }
  const parsed = parseShape(source, lock, document);
  const reading = await withOverrides(readGraph(source, parsed), source, 'pnpm', Object.keys(parsed.overrides));
  return { ...reading, tool: await toolIn(source, 'pnpm') };
}

function readGraph(source: Source, { packages, snapshots = packages, importers, ...top }: Lock): Reading {
  const graph = new Map(Object.entries(snapshots));
  const projects = Object.entries(importers ?? { '.': top });
  const instancesOf = (wanted: Readonly<Record<string, string>>) =>
    Object.entries(wanted).flatMap(([name, reference]) => instanceOf(graph, name, reference) ?? []);
  const asked = projects.flatMap(([folder, project]) =>
    installed.flatMap((section) =>
      Object.entries(project[section]).flatMap(([name, { specifier, version }]) => {
        const instance = instanceOf(graph, name, version);
        const file = posix.join(folder, 'package.json');
        return instance === null ? [] : [{ section, instance, file, range: askedRange(specifier) }];
      }),
    ),
  );
  const roots = rootsBySection((section) => asked.flatMap((each) => (each.section === section ? each.instance : [])));
  const edges = new Map<string, Edges>();
  for (const [instance, { dependencies, optionalDependencies }] of graph) {
    edges.set(instance, { required: instancesOf(dependencies), optional: instancesOf(optionalDependencies) });
  }
  const scopes = scopesFrom(roots, edges);
  const askersOf = askersFrom(asked.map(({ instance, file, range }) => [identityOf(instance), file, range]));
  const instances = groupBy(graph.keys(), identityOf);

  const list = new PackageList(source.file, 'npm');
  for (const name of linked(projects.map(([, project]) => project))) list.own({ name, as: null });
  for (const [identity, entry] of firstByIdentity(packages)) {
    const { name: keyName, rest } = splitReference(identity);
    const { name = keyName, version = rest, resolution } = entry;
    if (resolution?.type === 'directory') {
      list.own({ name, at: identity });
      continue;
    }
    const stated = rest === '' ? identity : rest;
    // A key with an address in the place of the version; the entry itself may state one.
    if (entry.version !== undefined && /[:/]/.test(stated)) list.doubt({ name, ...originOf(stated), at: identity });
    const copies = instances.get(identity) ?? [];
    const targets = copies.flatMap((instance) => {
      const { required = [], optional = [] } = edges.get(instance) ?? {};
      return [...required, ...optional];
    });
    list.add(
      {
        key: identity,
        name,
        version,
        scope: closestToProduction(copies.map((instance) => scopes.get(instance))),
        ...askersOf(identity),
        ...peersOf(entry),
        ...tarballAt(resolution?.tarball ?? null, resolution?.integrity ?? null),
        deprecated: entry.deprecated?.trim() || null,
        dependencies: targets.map(identityOf),
      },
      identity,
    );
  }
  return list.finish();
}

/** The names of the folders that the project links. */
function linked(projects: readonly z.output<typeof importer>[]): ReadonlySet<string> {
  const wanted = projects.flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
    [dependencies, devDependencies, optionalDependencies].flatMap((each) => Object.entries(each)),
  );
  return new Set(wanted.flatMap(([name, { version }]) => (version.startsWith('link:') ? name : [])));
}

/**
 * The key of the entry that a reference means: a version (`1.0.0(peer@2.0.0)`), or for an alias, a URL or a file the key
 * itself. Version 6 writes keys with a leading slash. Null for a `link:`, which means a folder of the project.
 */
function instanceOf(graph: ReadonlyMap<string, unknown>, name: string, reference: string): string | null {
  return [`${name}@${reference}`, `/${name}@${reference}`, reference].find((key) => graph.has(key)) ?? null;
}

/** A key without the peers it was installed for: `/a@1.0.0(b@2.0.0)` is `a@1.0.0`. */
function identityOf(key: string): string {
  const peers = key.indexOf('(');
  return key.slice(key.startsWith('/') ? 1 : 0, peers === -1 ? undefined : peers);
}

function firstByIdentity(packages: Lock['packages']): Map<string, Lock['packages'][string]> {
  const first = new Map<string, Lock['packages'][string]>();
  for (const [key, entry] of Object.entries(packages)) {
    if (!first.has(identityOf(key))) first.set(identityOf(key), entry);
  }
  return first;
}
