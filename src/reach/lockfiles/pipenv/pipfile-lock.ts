import * as z from 'zod';
import { scopeOfEnvironment } from '../environment-scope.js';
import { normalisePython } from '../names.js';
import { PackageList, type Reading, type Scope } from '../package-list.js';
import { withPythonPeers } from '../python-peers.js';
import { askersFrom } from '../ranges.js';
import { parseJson, parseShape, parseToml, type Source } from '../source.js';

const section = z.record(
  z.string(),
  z.object({
    version: z.string().optional(),
    git: z.unknown().optional(),
    path: z.unknown().optional(),
    file: z.unknown().optional(),
  }),
);
const lock = z.object({ _meta: z.object({}), default: section, develop: section.default({}) }).catchall(section);

const range = z.union([z.string(), z.object({ version: z.string() }).transform(({ version }) => version)]);
const wanted = z.record(z.string(), range.nullable().catch(null)).default({});
const pipfile = z.object({ packages: wanted, 'dev-packages': wanted });

/** Pipfile.lock (https://pipenv.pypa.io/en/latest/pipfile.html). Direct packages come from the Pipfile; there is no graph. */
export async function readPipfileLock(source: Source): Promise<Reading> {
  const { _meta, default: runtime, develop, ...categories } = parseShape(source, lock, parseJson(source));
  const manifest = await source.readRelative('Pipfile');
  const project = manifest && parseShape(manifest, pipfile, parseToml(manifest));
  const asks = [project?.packages, project?.['dev-packages']].flatMap((section) => Object.entries(section ?? {}));
  const askersOf = askersFrom(asks.map(([name, stated]) => [normalisePython(name), 'Pipfile', stated]));

  const list = new PackageList(source.file, 'PyPI');
  const add = (packages: z.output<typeof section>, scope: Scope) => {
    for (const [name, { version, git, path, file }] of Object.entries(packages)) {
      const pinned = version?.replace(/^===?/, '');
      const isElsewhere = path !== undefined || file !== undefined;
      if (git !== undefined || isElsewhere) {
        const stated = [git, path, file].find((each) => typeof each === 'string');
        const reason = git === undefined ? 'path' : 'git';
        list.unread({ name, reason, stated: typeof stated === 'string' ? stated : null, at: name });
      } else {
        list.add({
          key: `${normalisePython(name)}@${pinned ?? ''}`,
          name,
          version: pinned,
          scope,
          ...(project === null ? { direct: null } : askersOf(normalisePython(name))),
        });
      }
    }
  };
  add(develop, 'development');
  for (const [category, packages] of Object.entries(categories)) add(packages, scopeOfEnvironment(category));
  // Runtime last: a package in both sections is runtime.
  add(runtime, 'runtime');
  return withPythonPeers(list.finish());
}
