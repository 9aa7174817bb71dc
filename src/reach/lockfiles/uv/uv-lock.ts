import { posix } from 'node:path';
import * as z from 'zod';
import { isForProduction, scopeOfEnvironment } from '../environment-scope.js';
import { groupBy } from '../group-by.js';
import { PackageList, type Reading, type Scope } from '../package-list.js';
import { withPythonPeers } from '../python-peers.js';
import { type Ask, askersFrom } from '../ranges.js';
import { fieldsFrom } from '../scopes.js';
import { LockfileError, parseShape, parseToml, type Source } from '../source.js';

const dependency = z.object({
  name: z.string(),
  /** Of the project's own requirements alone. */
  specifier: z.string().optional(),
  version: z.string().optional(),
  extra: z.array(z.string()).default([]),
});
const named = z.record(z.string(), z.array(dependency)).default({});

const uvPackage = z.object({
  name: z.string(),
  // A project whose version is computed when it is built has none.
  version: z.string().optional(),
  source: z.record(z.string(), z.unknown()),
  dependencies: z.array(dependency).default([]),
  'optional-dependencies': named,
  'dev-dependencies': named,
  /** What the pyproject.toml of the project says, which the lists above lead to. */
  metadata: z.object({ 'requires-dist': z.array(dependency).default([]), 'requires-dev': named }).prefault({}),
});

const lock = z.object({
  version: z.int(),
  // The groups of a workspace whose root is no package.
  manifest: z.object({ 'dependency-groups': named }).catch({ 'dependency-groups': {} }),
  package: z.array(uvPackage).default([]),
});

type UvPackage = z.output<typeof uvPackage>;
type Dependency = z.output<typeof dependency>;

/** Fields of `source` for what is a folder of the project. */
const ownFolders = ['virtual', 'editable', 'directory'];

/** Fields of `source` for a package that comes from elsewhere than a registry. */
const elsewhere = ['path', 'git', 'url'] as const;

/** Sources of the project itself and its workspace. */
const projectSources = ['virtual', 'editable'];

/** uv.lock (https://docs.astral.sh/uv/concepts/projects/layout/#the-lockfile): it lists the project's direct dependencies too. */
export async function readUvLock(source: Source): Promise<Reading> {
  const { version, manifest, package: found } = parseShape(source, lock, parseToml(source));
  if (version !== 1) throw new LockfileError(source.file, `version: is ${version}; expected 1`);
  const byName = groupBy(found, ({ name }) => name);

  const targets = (wanted: readonly Dependency[]): string[] =>
    wanted.flatMap(({ name, version: exact, extra }) =>
      (byName.get(name) ?? [])
        .filter((each) => exact === undefined || each.version === exact)
        .flatMap((each) => [keyOf(each), ...extra.map((of) => extraKeyOf(each, of))]),
    );
  const projects = found.filter((each) => projectSources.some((kind) => Object.hasOwn(each.source, kind)));
  const groups = [manifest['dependency-groups'], ...projects.map((each) => each['dev-dependencies'])].flatMap((named) =>
    Object.entries(named),
  );
  const inGroups = (production: boolean) =>
    groups.flatMap(([group, wanted]) => (isForProduction(group) === production ? wanted : []));
  // An extra `dev` or `test` is older than groups and means the same.
  const ofExtras = (scope: Scope) =>
    projects
      .flatMap((each) => Object.entries(each['optional-dependencies']))
      .flatMap(([extra, wanted]) => (scopeOfEnvironment(extra) === scope ? wanted : []));
  const roots = {
    runtime: targets([...projects.flatMap(({ dependencies }) => dependencies), ...inGroups(true)]),
    optional: targets(ofExtras('runtime')),
    development: targets([...ofExtras('development'), ...inGroups(false)]),
  };
  // `uvicorn[standard]` is a node of its own, so that an extra's packages get the scope of what asks for the extra.
  const edges = found.flatMap((each) => [
    [keyOf(each), { required: targets(each.dependencies) }] as const,
    ...Object.entries(each['optional-dependencies']).map(
      ([extra, wanted]) => [extraKeyOf(each, extra), { required: targets(wanted) }] as const,
    ),
  ]);
  const fieldsOf = fieldsFrom(roots, new Map(edges));
  const keys = new Set(found.map(keyOf));
  // The file lists an extra of a package only where something asks for it. Its packages are loaded by that package.
  const dependenciesOf = (each: UvPackage) =>
    targets([...each.dependencies, ...Object.values(each['optional-dependencies']).flat()]).filter(
      (key) => keys.has(key) && key !== keyOf(each),
    );

  const asksOf = (folder: string, wanted: readonly Dependency[], stated: readonly Dependency[]) =>
    wanted.flatMap((each) => {
      const ranges = stated.flatMap(({ name, specifier = '*' }) => (name === each.name ? specifier : []));
      const file = posix.join(folder, 'pyproject.toml');
      return targets([each]).flatMap((key) =>
        (ranges.length === 0 ? [null] : ranges).map((range): Ask => [key, file, range]),
      );
    });
  const ofWorkspace = Object.values(manifest['dependency-groups']).flat();
  const askersOf = askersFrom([
    ...asksOf('.', ofWorkspace, ofWorkspace),
    ...projects.flatMap((each) => asksOf(folderOf(each), wantedBy(each), statedBy(each))),
  ]);

  const list = new PackageList(source.file, 'PyPI');
  for (const each of found) {
    const reason = elsewhere.find((kind) => Object.hasOwn(each.source, kind));
    if (ownFolders.some((kind) => Object.hasOwn(each.source, kind))) list.own({ name: each.name, at: keyOf(each) });
    else if (reason !== undefined) {
      list.unread({ name: each.name, reason, stated: each.version ?? null, at: keyOf(each) }, dependenciesOf(each));
    } else {
      list.add({
        ...fieldsOf(keyOf(each)),
        name: each.name,
        version: each.version,
        ...(projects.length === 0 ? { direct: null } : askersOf(keyOf(each))),
        dependencies: dependenciesOf(each),
      });
    }
  }
  return withPythonPeers(list.finish());
}

/** All that a project asks for, as it is resolved. */
function wantedBy({ dependencies, ...found }: UvPackage): Dependency[] {
  const named = [found['optional-dependencies'], found['dev-dependencies']];
  return [...dependencies, ...named.flatMap((each) => Object.values(each).flat())];
}

/** The same as its pyproject.toml states it; files of old versions of uv do not say. */
function statedBy({ metadata }: UvPackage): Dependency[] {
  return [...metadata['requires-dist'], ...Object.values(metadata['requires-dev']).flat()];
}

function folderOf({ source }: UvPackage): string {
  const folder = source['virtual'] ?? source['editable'];
  return typeof folder === 'string' ? folder : '.';
}

function extraKeyOf(found: UvPackage, extra: string): string {
  return `${keyOf(found)}[${extra}]`;
}

function keyOf({ name, version = '' }: UvPackage): string {
  return `${name}@${version}`;
}
