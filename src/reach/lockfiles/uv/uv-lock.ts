import * as z from 'zod';
import { groupBy } from '../group-by.js';
import { PackageList, type Reading } from '../package-list.js';
import { fieldsFrom } from '../scopes.js';
import { LockfileError, parseShape, parseToml, type Source } from '../source.js';

const dependency = z.object({
  name: z.string(),
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
});

const lock = z.object({ version: z.int(), package: z.array(uvPackage).default([]) });

type UvPackage = z.output<typeof uvPackage>;
type Dependency = z.output<typeof dependency>;

/** Fields of `source` for a package that no registry has, and why it is skipped. */
const skipReasons = [
  ['virtual', 'is a folder of the project'],
  ['editable', 'is a folder of the project'],
  ['directory', 'is a folder of the project'],
  ['path', 'is a file of the project'],
  ['git', 'comes from a Git repository'],
  ['url', 'comes from a URL'],
] as const;

/** Sources of the project itself and its workspace. */
const projectSources = ['virtual', 'editable'];

/** uv.lock (https://docs.astral.sh/uv/concepts/projects/layout/#the-lockfile): it lists the project's direct dependencies too. */
export async function readUvLock(source: Source): Promise<Reading> {
  const { version, package: found } = parseShape(source, lock, parseToml(source));
  if (version !== 1) throw new LockfileError(source.file, `version: is ${version}; expected 1`);
  const byName = groupBy(found, ({ name }) => name);

  const targets = (wanted: readonly Dependency[]): string[] =>
    wanted.flatMap(({ name, version: exact, extra }) =>
      (byName.get(name) ?? [])
        .filter((each) => exact === undefined || each.version === exact)
        .flatMap((each) => [
          keyOf(each),
          // `uvicorn[standard]` needs the packages of the extra. One step is enough: extras of extras are listed by name.
          ...extra.flatMap((of) =>
            (each['optional-dependencies'][of] ?? []).flatMap((inner) => (byName.get(inner.name) ?? []).map(keyOf)),
          ),
        ]),
    );
  const projects = found.filter((each) => projectSources.some((kind) => Object.hasOwn(each.source, kind)));
  const roots = {
    runtime: targets(projects.flatMap(({ dependencies }) => dependencies)),
    optional: targets(projects.flatMap((each) => Object.values(each['optional-dependencies']).flat())),
    development: targets(projects.flatMap((each) => Object.values(each['dev-dependencies']).flat())),
  };
  const edges = found.map((each) => [keyOf(each), { required: targets(each.dependencies) }] as const);
  const fieldsOf = fieldsFrom(roots, new Map(edges));

  const list = new PackageList(source.file, 'PyPI');
  for (const each of found) {
    const skip = skipReasons.find(([kind]) => Object.hasOwn(each.source, kind));
    if (skip !== undefined) list.skip(skip[1]);
    else {
      const { direct, ...fields } = fieldsOf(keyOf(each));
      list.add({ ...fields, name: each.name, version: each.version, direct: projects.length === 0 ? null : direct });
    }
  }
  return list.finish();
}

function keyOf({ name, version = '' }: UvPackage): string {
  return `${name}@${version}`;
}
