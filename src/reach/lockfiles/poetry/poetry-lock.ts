import * as z from 'zod';
import type { UnreadReason } from '../../../procedures/unread.js';
import { isForProduction } from '../environment-scope.js';
import { groupBy } from '../group-by.js';
import { normalisePython } from '../names.js';
import { PackageList, type Reading, type Scope } from '../package-list.js';
import { isOptional, type PythonRequirements, poetryDependencies, readPyproject, toForms } from '../pyproject.js';
import { withPythonPeers } from '../python-peers.js';
import { type Edge, rangesOf } from '../ranges.js';
import { closestToProduction, type Edges, scopesFrom } from '../scopes.js';
import { parseShape, parseToml, type Source } from '../source.js';

const poetryPackage = z.object({
  name: z.string(),
  version: z.string(),
  optional: z.boolean().default(false),
  // The groups that ask for it: a category until lock-version 1.1, groups since 2.1.
  category: z.string().optional(),
  groups: z.array(z.string()).optional(),
  source: z.object({ type: z.string().optional() }).optional(),
  dependencies: poetryDependencies,
  extras: z.record(z.string(), z.array(z.string())).default({}),
});

const lock = z.object({
  package: z.array(poetryPackage).default([]),
  metadata: z.object({ 'content-hash': z.string() }),
});

type PoetryPackage = z.output<typeof poetryPackage>;

/** Types of source that are no registry. A directory is the project's own. */
const elsewhere: Readonly<Record<string, UnreadReason>> = { git: 'git', url: 'url', file: 'path' };

/**
 * poetry.lock (https://python-poetry.org/docs/basic-usage/). Its groups give the scope; where it has none (lock-version
 * 2.0) the pyproject.toml in its folder does. The direct dependencies come from the pyproject.toml too.
 */
export async function readPoetryLock(source: Source): Promise<Reading> {
  const { package: found } = parseShape(source, lock, parseToml(source));
  const project = await readPyproject(source);
  const byName = groupBy(found, ({ name }) => normalisePython(name));
  const keysFor = (names: readonly string[]) =>
    names.flatMap((name) => (byName.get(normalisePython(name)) ?? []).map(keyOf));
  const edgesOf = ({ dependencies }: PoetryPackage) =>
    Object.entries(dependencies)
      .flatMap(toForms)
      .flatMap(([name, range]) => keysFor([name]).map((key): Edge => [key, range]));
  const scopes = scopesByManifest(found, project?.requirements ?? null, keysFor);

  const list = new PackageList(source.file, 'PyPI');
  for (const each of found) {
    const type = each.source?.type ?? '';
    const reason = elsewhere[type];
    if (type === 'directory') list.own({ name: each.name, at: keyOf(each) });
    else if (reason !== undefined) {
      const needed = keysFor(Object.keys(each.dependencies));
      list.unread({ name: each.name, reason, stated: each.version, at: keyOf(each) }, needed);
    } else {
      list.add({
        key: keyOf(each),
        name: each.name,
        version: each.version,
        scope: scopeInLock(each) ?? closestToProduction([scopes.get(keyOf(each))]),
        ...(project?.askersOf(normalisePython(each.name)) ?? { direct: null }),
        dependencies: keysFor(Object.keys(each.dependencies)),
        ...rangesOf(edgesOf(each)),
      });
    }
  }
  const extras = new Map(found.map((each) => [keyOf(each), each.extras]));
  return withPythonPeers(list.finish(), (key) => extras.get(key));
}

function keyOf({ name, version }: PoetryPackage): string {
  return `${normalisePython(name)}@${version}`;
}

function scopeInLock({ category, groups, optional }: PoetryPackage): Scope | null {
  const asking = groups ?? (category === undefined ? null : [category]);
  if (asking === null) return null;
  if (!asking.some((group) => group === 'main' || isForProduction(group))) return 'development';
  return optional ? 'optional' : 'runtime';
}

function scopesByManifest(
  found: readonly PoetryPackage[],
  asked: PythonRequirements | null,
  keysFor: (names: readonly string[]) => string[],
): ReadonlyMap<string, Scope> {
  if (asked === null) return new Map(found.flatMap((each) => (each.optional ? [[keyOf(each), 'optional']] : [])));
  const edges = new Map<string, Edges>();
  for (const each of found) {
    const wanted = Object.entries(each.dependencies);
    edges.set(keyOf(each), {
      required: keysFor(wanted.flatMap(([name, dependency]) => (isOptional(dependency) ? [] : name))),
      optional: keysFor(wanted.flatMap(([name, dependency]) => (isOptional(dependency) ? name : []))),
    });
  }
  const roots = {
    runtime: keysFor(asked.runtime),
    optional: keysFor(asked.optional),
    development: keysFor(asked.development),
  };
  return scopesFrom(roots, edges);
}
