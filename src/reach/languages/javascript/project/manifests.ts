import { load } from 'js-yaml';
import { parseJsonc } from '../../../../shared/json/jsonc.js';
import type { SourceTree } from '../../source-tree.js';
import { folderOf, fromFoldersAbove, inFolder } from '../../tree-path.js';
import { entriesOf, field, stringsIn, textOf } from '../json-values.js';
import { packageOf } from '../resolve/specifier.js';
import { pathPattern } from './path-pattern.js';

/** One package.json of the tree. */
export interface Manifest {
  /** The folder of the file, empty for the root. */
  readonly folder: string;
  readonly name: string | null;
  readonly content: unknown;
  /** The version ranges of all its dependencies, by name. */
  readonly declared: ReadonlyMap<string, string>;
}

const sections = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** All manifests of a tree, by their folder. One that cannot be parsed is left out. */
export function readManifests(tree: SourceTree): ReadonlyMap<string, Manifest> {
  const manifests = new Map<string, Manifest>();
  for (const { path } of tree.files) {
    if (path !== 'package.json' && !path.endsWith('/package.json')) continue;
    const content = parseJsonc(tree.read(path) ?? '');
    if (content === undefined) continue;
    const folder = folderOf(path);
    const declared = new Map(
      sections.flatMap((section) =>
        entriesOf(field(content, section)).map(([name, range]) => [name, textOf(range) ?? '']),
      ),
    );
    manifests.set(folder, { folder, name: textOf(field(content, 'name')), content, declared });
  }
  return manifests;
}

/** The value of the nearest folder upwards, the folder itself included. */
export function nearest<T>(byFolder: ReadonlyMap<string, T>, folder: string): T | null {
  return fromFoldersAbove(folder, (at) => byFolder.get(at)) ?? null;
}

/** The registry's name of a declared dependency: `"old": "npm:lodash@^3"` is lodash. */
export function registryName(name: string, range: string | undefined): string {
  return range?.startsWith('npm:') ? (packageOf(range)?.name ?? name) : name;
}

/**
 * The packages in the tree, by name: those in a `workspaces` list or in pnpm-workspace.yaml, and those that a manifest
 * depends on by folder (`workspace:`, `file:`, `link:`, `portal:`).
 */
export function workspacesOf(
  tree: SourceTree,
  manifests: ReadonlyMap<string, Manifest>,
): ReadonlyMap<string, Manifest> {
  const lists: { readonly base: string; readonly patterns: readonly string[] }[] = [];
  for (const { folder, content } of manifests.values()) {
    const workspaces = field(content, 'workspaces');
    lists.push({ base: folder, patterns: stringsIn(workspaces).concat(stringsIn(field(workspaces, 'packages'))) });
  }
  for (const { path } of tree.files) {
    if (!/(?:^|\/)pnpm-workspace\.ya?ml$/.test(path)) continue;
    lists.push({
      base: folderOf(path),
      patterns: stringsIn(field(parseYaml(tree.read(path) ?? ''), 'packages')),
    });
  }
  const localDependencies = new Set(
    [...manifests.values()].flatMap(({ declared }) =>
      [...declared].filter(([, range]) => /^(?:workspace|file|link|portal):/.test(range)).map(([name]) => name),
    ),
  );
  const memberTests = lists.filter(({ patterns }) => patterns.length > 0).map(memberTest);
  const found = new Map<string, Manifest>();
  for (const manifest of manifests.values()) {
    if (manifest.name === null) continue;
    const isMember = localDependencies.has(manifest.name) || memberTests.some((test) => test(manifest.folder));
    if (isMember && !found.has(manifest.name)) found.set(manifest.name, manifest);
  }
  return found;
}

/** Tests whether a folder matches the workspace patterns of another one. */
function memberTest({ base, patterns }: { readonly base: string; readonly patterns: readonly string[] }) {
  const prefix = inFolder(base, '');
  const toTests = (list: readonly string[]) => list.map(pathPattern).filter((test) => test !== null);
  const included = toTests(patterns.filter((pattern) => !pattern.startsWith('!')));
  const excluded = toTests(patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1)));
  return (folder: string): boolean => {
    if (folder === base || !folder.startsWith(prefix)) return false;
    const path = folder.slice(prefix.length);
    return included.some((test) => test(path)) && !excluded.some((test) => test(path));
  };
}

function parseYaml(text: string): unknown {
  try {
    return load(text, { maxAliases: 0 });
  } catch {
    return undefined;
  }
}
