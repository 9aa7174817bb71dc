import { posix } from 'node:path';
import * as z from 'zod';
import { jsoncToJson } from '../../../shared/json/jsonc.js';
import { askedRange, packageJson, registryRange, type Section, sections as sectionNames } from '../manifest.js';
import { PackageList, type Reading } from '../package-list.js';
import { type Ask, askersFrom, type Edge, toEdges } from '../ranges.js';
import { splitReference } from '../reference.js';
import { type Edges, fieldsFrom } from '../scopes.js';
import { LockfileError, parseJson, parseShape, type Source } from '../source.js';
import { tarballAt } from '../tarball.js';

const project = packageJson.omit({ workspaces: true }).extend({ name: z.string().default('') });
const sections = packageJson
  .omit({ workspaces: true, devDependencies: true })
  .extend({ bundled: z.boolean().optional() });

/** `["lodash@4.17.21", "", { dependencies }, "sha512-…"]`; of a folder only the first and its dependencies. */
const entry = z.tuple([z.string()], z.unknown());

const lock = z.object({
  lockfileVersion: z.int(),
  workspaces: z.record(z.string(), project),
  packages: z.record(z.string(), entry).default({}),
});

type Lock = z.output<typeof lock>;

/** What follows the @ of a package that no registry has, and why it is skipped. */
const skipReasons = [
  [/^workspace:/, 'is a folder of the project'],
  [/^(?:link|root):/, 'is a folder of the project'],
] as const;

/**
 * bun.lock (https://bun.com/docs/pm/lockfile), the text format. A key is the name, or the path of names
 * (`parent/name`) where a package needs another version than the rest.
 */
export async function readBunLock(source: Source): Promise<Reading> {
  const text = jsoncToJson(source.text);
  const { lockfileVersion, workspaces, packages } = parseShape(source, lock, parseJson({ ...source, text }));
  if (lockfileVersion < 0 || lockfileVersion > 3) {
    throw new LockfileError(source.file, `lockfileVersion: is ${lockfileVersion}; expected 0 to 3`);
  }
  const edgesTo = (wanted: Readonly<Record<string, string>>, from: string) =>
    Object.entries(wanted).flatMap(([name, range]): Edge[] => {
      const found = resolve(packages, from, name);
      return found === null ? [] : [[found, registryRange(range)]];
    });
  const edges = new Map<string, Edges>();
  const bundled = new Set<string>();
  for (const [key, [, ...rest]] of Object.entries(packages)) {
    const { dependencies, optionalDependencies, peerDependencies, bundled: isBundled } = edgesIn(rest);
    if (isBundled === true) bundled.add(key);
    const required = [...edgesTo(dependencies, key), ...edgesTo(peerDependencies, key)];
    edges.set(key, toEdges(required, edgesTo(optionalDependencies, key)));
  }
  const asksIn = (section: Section) =>
    Object.entries(workspaces).flatMap(([folder, workspace]) => {
      const file = posix.join(folder, 'package.json');
      const from = folder === '' ? '' : workspace.name;
      return Object.entries(workspace[section]).flatMap(([name, range]) =>
        edgesTo({ [name]: range }, from).map(([key]): Ask => [key, file, askedRange(range)]),
      );
    });
  const rootsIn = (section: Section) => asksIn(section).map(([key]) => key);
  const roots = {
    runtime: [...rootsIn('dependencies'), ...rootsIn('peerDependencies')],
    optional: rootsIn('optionalDependencies'),
    development: rootsIn('devDependencies'),
  };
  const fieldsOf = fieldsFrom(roots, edges);
  const askersOf = askersFrom(sectionNames.flatMap(asksIn));

  const list = new PackageList(source.file, 'npm');
  for (const [key, [resolved, ...rest]] of Object.entries(packages)) {
    const { name, rest: version } = splitReference(resolved);
    const skip = skipReasons.find(([pattern]) => pattern.test(version));
    if (skip !== undefined) list.own({ name, at: key, as: skip[1] });
    else {
      // Bun says no more of it than that, and takes some of what an archive carries from the registry.
      const bundle = bundled.has(key) ? { bundledIn: null } : {};
      list.add({ ...fieldsOf(key), ...askersOf(key), ...bundle, name, version, ...tarballIn(rest) }, key);
    }
  }
  return list.finish();
}

/** The one object after the first element. Its index differs between packages of a registry and others. */
function edgesIn(rest: readonly unknown[]): z.output<typeof sections> {
  const found = rest.map((each) => sections.safeParse(each)).find(({ success }) => success);
  return found?.data ?? sections.parse({});
}

/** Of a package of a registry: its address, empty for the default one, ..., its integrity. */
function tarballIn(rest: readonly unknown[]) {
  const [url, integrity] = [rest[0], rest.at(-1)];
  const address = typeof url === 'string' && url !== '' ? url : null;
  return typeof integrity === 'string' && integrity !== url ? tarballAt(address, integrity) : {};
}

/** The key of a dependency: of the entries for its name, the one with the longest part of the package's path. */
function resolve(packages: Lock['packages'], key: string, name: string): string | null {
  const names = key.match(/(?:@[^/]+\/)?[^/]+/g) ?? [];
  for (let depth = names.length; depth >= 0; depth--) {
    const found = [...names.slice(0, depth), name].join('/');
    if (Object.hasOwn(packages, found)) return found;
  }
  return null;
}
