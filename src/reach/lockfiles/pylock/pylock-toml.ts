import * as z from 'zod';
import { scopeOfEnvironment } from '../environment-scope.js';
import { groupBy } from '../group-by.js';
import { normalisePython } from '../names.js';
import { PackageList, type Reading } from '../package-list.js';
import { readPyproject } from '../pyproject.js';
import { withPythonPeers } from '../python-peers.js';
import { closestToProduction } from '../scopes.js';
import { LockfileError, parseShape, parseToml, type Source } from '../source.js';
import { scopeOfMarker } from './marker.js';

const dependency = z.object({ name: z.string(), version: z.string().optional() });

const pylockPackage = z.object({
  name: z.string(),
  // Absent where a build may give another one, as of a folder.
  version: z.string().optional(),
  marker: z.string().optional(),
  dependencies: z.array(dependency).default([]),
  vcs: z.unknown().optional(),
  directory: z.unknown().optional(),
  archive: z.unknown().optional(),
});

const lock = z.object({
  'lock-version': z.string(),
  'default-groups': z.array(z.string()).default([]),
  packages: z.array(pylockPackage),
});

type PylockPackage = z.output<typeof pylockPackage>;

/** Fields for a package that comes from elsewhere than a registry. A directory is the project's own. */
const elsewhere = [
  ['vcs', 'git'],
  ['archive', 'url'],
] as const;

/**
 * pylock.toml and pylock.NAME.toml (PEP 751, https://packaging.python.org/en/latest/specifications/pylock-toml/). Markers, and
 * the NAME, show the scope. The direct dependencies come from the pyproject.toml in its folder.
 */
export async function readPylock(source: Source): Promise<Reading> {
  const { packages: found, ...rest } = parseShape(source, lock, parseToml(source));
  if (!/^1(?:\.|$)/.test(rest['lock-version'])) {
    throw new LockfileError(source.file, `lock-version: is ${rest['lock-version']}; expected 1.0`);
  }
  const project = await readPyproject(source);
  const byName = groupBy(found, ({ name }) => normalisePython(name));
  const targets = ({ name, version }: z.output<typeof dependency>) =>
    (byName.get(normalisePython(name)) ?? [])
      .filter((each) => version === undefined || each.version === version)
      .map(keyOf);
  // Tools may leave them out. Then they are unknown, not absent.
  const hasEdges = found.some(({ dependencies }) => dependencies.length > 0);
  const isForDevelopment = scopeOfEnvironment(source.file) === 'development';

  const list = new PackageList(source.file, 'PyPI');
  // One version can be listed for several markers.
  for (const [key, same] of groupBy(found, keyOf)) {
    const [{ name, version }] = same;
    const scopes = same.map(({ marker }) => scopeOfMarker(marker, rest['default-groups']));
    const [, reason] = elsewhere.find(([field]) => same.some((each) => each[field] !== undefined)) ?? [];
    if (same.every(({ directory }) => directory !== undefined)) list.own({ name, at: key });
    else if (reason !== undefined) list.unread({ name, reason, stated: version ?? null, at: key });
    else {
      list.add({
        key,
        name,
        version,
        scope: isForDevelopment ? 'development' : closestToProduction(scopes),
        ...(project?.askersOf(normalisePython(name)) ?? { direct: null }),
        ...(hasEdges && { dependencies: same.flatMap(({ dependencies }) => dependencies.flatMap(targets)) }),
      });
    }
  }
  return withPythonPeers(list.finish());
}

function keyOf({ name, version = '' }: PylockPackage): string {
  return `${normalisePython(name)}@${version}`;
}
