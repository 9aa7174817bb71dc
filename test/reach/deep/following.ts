import type { ChainLink, LoadingEvidence } from '../../../src/reach/analysis/loading.js';
import { walkTree } from '../../../src/reach/analysis/tree.js';
import { readTreeLockfiles } from '../../../src/reach/analysis/tree-lockfiles.js';
import { followDependencies } from '../../../src/reach/deep/follow-dependencies.js';
import { javascriptReader } from '../../../src/reach/languages/javascript/reader.js';

interface Options {
  readonly entries?: readonly string[];
  readonly cacheFolder?: string;
  readonly registry?: string;
}

/** Reads a tree and follows its imports into packages; `app.js` is the entry point if none is given. */
export async function follow(root: string, options: Options = {}): Promise<LoadingEvidence> {
  const { entries = ['app.js'], cacheFolder = null, registry } = options;
  const tree = await walkTree(root);
  const { lockfiles } = await readTreeLockfiles(tree);
  const known = lockfiles.flatMap(({ packages }) => packages);
  const { uses, reachedFiles, gaps } = await javascriptReader.analyze(tree, known, { entries });
  const env = registry === undefined ? {} : { npm_config_registry: registry };
  return followDependencies({ tree, lockfiles, uses, reachedFiles, gaps, cacheFolder, env, progress: () => {} });
}

/** `name version` of all that is loaded, in order. */
export function loadedNames({ loaded }: LoadingEvidence): string[] {
  return loaded.map(({ name, version }) => `${name} ${version}`).sort();
}

/** All names that gaps hide. */
export function hiddenNames({ gaps }: LoadingEvidence): string[] {
  return [...new Set(gaps.flatMap(({ hides }) => hides))].sort();
}

/** `app.js:1 -> a/index.js:2 -> b/main.js` */
export function chainText(evidence: LoadingEvidence, name: string): string | undefined {
  const link = ({ package: of, file, line }: ChainLink) =>
    `${of === null ? '' : `${of.name}/`}${file}${line === null ? '' : `:${line}`}`;
  return evidence.loaded
    .find((one) => one.name === name)
    ?.chain.map(link)
    .join(' -> ');
}

interface TestPackage {
  readonly version?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Of its entry in the lock file. */
  readonly locked?: Readonly<Record<string, unknown>>;
}

/** The files of an npm project, by the places of its packages: `a`, or `a/node_modules/b`. */
export function project(
  files: Readonly<Record<string, string>>,
  packages: Readonly<Record<string, TestPackage>>,
  installed: readonly string[] = Object.keys(packages),
): Record<string, string> {
  const tree: Record<string, string> = { ...files };
  const direct = Object.keys(packages).filter((place) => !place.includes('/node_modules/'));
  const dependencies = Object.fromEntries(direct.map((name) => [name, '*']));
  const entries: Record<string, unknown> = { '': { dependencies } };
  for (const [place, { version = '1.0.0', files: inner = {}, manifest = {}, locked = {} }] of Object.entries(
    packages,
  )) {
    const name = place.slice(place.lastIndexOf('node_modules/') === -1 ? 0 : place.lastIndexOf('node_modules/') + 13);
    const edges = Object.fromEntries(Object.entries(manifest).filter(([field]) => /ependencies$/.test(field)));
    entries[`node_modules/${place}`] = { version, ...edges, ...locked };
    if (!installed.includes(place)) continue;
    tree[`node_modules/${place}/package.json`] = JSON.stringify({ name, version, ...manifest });
    for (const [path, text] of Object.entries(inner)) tree[`node_modules/${place}/${path}`] = text;
  }
  tree['package.json'] = JSON.stringify({ name: 'app', dependencies });
  tree['package-lock.json'] = JSON.stringify({ lockfileVersion: 3, packages: entries });
  return tree;
}
