import * as z from 'zod';
import { isForProduction, scopeOfEnvironment } from '../environment-scope.js';
import { groupBy } from '../group-by.js';
import { normalisePython, requirementName, requirementRange } from '../names.js';
import { PackageList, type Reading, type Scope } from '../package-list.js';
import { type PythonProject, readPyproject } from '../pyproject.js';
import { withPythonPeers } from '../python-peers.js';
import { type Edge, rangesOf } from '../ranges.js';
import { closestToProduction, scopesFrom } from '../scopes.js';
import { LockfileError, parseShape, parseToml, type Source } from '../source.js';

const pdmPackage = z.object({
  name: z.string(),
  version: z.string().optional(),
  /** Those that ask for it, since lock_version 4.4; `default` is the project itself. */
  groups: z.array(z.string()).optional(),
  dependencies: z.array(z.string()).default([]),
  git: z.unknown().optional(),
  hg: z.unknown().optional(),
  path: z.unknown().optional(),
  url: z.unknown().optional(),
});

const lock = z.object({
  metadata: z.object({ lock_version: z.string() }),
  package: z.array(pdmPackage).default([]),
});

type PdmPackage = z.output<typeof pdmPackage>;

/** Fields for a package that comes from elsewhere than a registry. */
const elsewhere = [
  ['git', 'git'],
  ['hg', 'url'],
  ['path', 'path'],
  ['url', 'url'],
] as const;

/** The newest major lock_version that is known. */
const maxMajor = 4;

/**
 * pdm.lock (https://pdm-project.org/en/latest/usage/lockfile/). The groups in it give the scope; the pyproject.toml in its
 * folder shows which of them are extras, and the direct dependencies. A package has another entry for its extras.
 */
export async function readPdmLock(source: Source): Promise<Reading> {
  const { metadata, package: found } = parseShape(source, lock, parseToml(source));
  if (Number.parseInt(metadata.lock_version, 10) > maxMajor) {
    throw new LockfileError(source.file, `metadata.lock_version: is ${metadata.lock_version}; expected ${maxMajor}`);
  }
  const project = await readPyproject(source);
  const entries = groupBy(found, keyOf);
  const byName = groupBy(entries.keys(), (key) => key.slice(0, key.lastIndexOf('@')));
  const keysFor = (names: readonly string[]) => names.flatMap((name) => byName.get(normalisePython(name)) ?? []);
  const edgesOf = (same: readonly PdmPackage[]) =>
    same
      .flatMap(({ dependencies }) => dependencies)
      .flatMap((wanted) =>
        keysFor([requirementName(wanted) ?? '']).map((key): Edge => [key, requirementRange(wanted)]),
      );
  const neededBy = (same: readonly PdmPackage[]) => edgesOf(same).map(([key]) => key);
  const byManifest =
    project && scopesByManifest(project, keysFor, new Map([...entries].map(([key, same]) => [key, neededBy(same)])));

  const list = new PackageList(source.file, 'PyPI');
  for (const [key, same] of entries) {
    const [{ name, version }] = same;
    const [, reason] = elsewhere.find(([field]) => same.some((each) => each[field] !== undefined)) ?? [];
    if (reason !== undefined) list.unread({ name, reason, stated: version ?? null, at: key }, neededBy(same));
    else {
      list.add({
        key,
        name,
        version,
        scope: closestToProduction(
          same.map(({ groups }) => (groups === undefined ? byManifest?.get(key) : scopeOfGroups(groups, project))),
        ),
        ...(project?.askersOf(normalisePython(name)) ?? { direct: null }),
        dependencies: neededBy(same).filter((target) => target !== key),
        ...rangesOf(edgesOf(same)),
      });
    }
  }
  return withPythonPeers(list.finish());
}

function scopeOfGroups(groups: readonly string[], project: PythonProject | null): Scope {
  return closestToProduction(
    groups.map((group): Scope => {
      if (group === 'default' || isForProduction(group)) return 'runtime';
      if (project !== null) return project.extras.includes(group) ? 'optional' : 'development';
      return scopeOfEnvironment(group) === 'development' ? 'development' : 'optional';
    }),
  );
}

function scopesByManifest(
  { requirements }: PythonProject,
  keysFor: (names: readonly string[]) => string[],
  edges: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, Scope> {
  const roots = {
    runtime: keysFor(requirements.runtime),
    optional: keysFor(requirements.optional),
    development: keysFor(requirements.development),
  };
  return scopesFrom(roots, new Map([...edges].map(([key, required]) => [key, { required }])));
}

function keyOf({ name, version = '' }: PdmPackage): string {
  return `${normalisePython(name)}@${version}`;
}
