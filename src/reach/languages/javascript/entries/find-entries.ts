import type { Entry } from '../../language-reader.js';
import type { SourceTree } from '../../source-tree.js';
import { folderOf, inFolder, joinPath } from '../../tree-path.js';
import type { Manifest } from '../project/manifests.js';
import { isTestName, roleOf } from '../roles.js';
import { sourceKindOf } from '../source-kinds.js';
import { addFromBuilds } from './build-entries.js';
import { EntryCollector } from './entry-collector.js';
import { addFromFiles } from './file-entries.js';
import { type DeclaredPackages, frameworkLoading } from './frameworks.js';
import { addFromManifest } from './manifest-entries.js';
import type { TreeFiles } from './tree-files.js';

/**
 * The entry points of production: the given files, or what manifests, pages, containers, builds and the conventions of
 * frameworks name, and the files where servers and libraries usually start. They are monotone: a further file in the tree
 * never takes an entry point away.
 *
 * @param versions that the lock files have of a package
 */
export function findEntries(
  tree: SourceTree,
  manifests: ReadonlyMap<string, Manifest>,
  files: TreeFiles,
  given: readonly string[],
  versions: DeclaredPackages['versions'],
): readonly Entry[] {
  const entries = new EntryCollector(tree, manifests, files);
  for (const path of given) entries.add(files.named(joinPath('', path.replaceAll('\\', '/'))), 'given');
  if (entries.found.length > 0) return entries.found;

  const production = [...manifests.values()].filter(({ folder }) => roleOf(`${folder}/x`) !== 'test');
  for (const manifest of production) addFromManifest(manifest, entries);
  addFromFiles(entries);
  addFromBuilds(entries);
  addFrameworkFiles(entries, versions);
  addUsual(production, entries);
  return entries.found;
}

function addFrameworkFiles(entries: EntryCollector, versions: DeclaredPackages['versions']): void {
  const { tree, manifests } = entries;
  const hasMeteor = new Set(
    tree.files.flatMap(({ path }) =>
      /(?:^|\/)\.meteor\/(?:packages|release)$/.test(path) ? [folderOf(folderOf(path))] : [],
    ),
  );
  for (const { path } of tree.files) {
    if ((sourceKindOf(path) === null && !/\.(?:mdx?|coffee|marko)$/.test(path)) || isTestName(path)) continue;
    const isInTests = roleOf(path) === 'test';
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      const manifest = manifests.get(folder);
      if (manifest !== undefined || hasMeteor.has(folder)) {
        const packages = {
          has: (name: string) => (name === 'meteor' ? hasMeteor.has(folder) : manifest?.declared.has(name) === true),
          versions,
        };
        const framework = frameworkLoading(folder === '' ? path : path.slice(folder.length + 1), packages, isInTests);
        if (framework !== null) entries.add([path], `${framework} loads it`);
      }
      if (folder === '') break;
    }
  }
}

const usualFiles = 'server app index main src/index src/main src/server src/app bin/www lib/index App src/App'.split(
  ' ',
);

/** Adds the files of each package where programs usually begin. That something else names an entry is no proof against them. */
function addUsual(manifests: readonly Manifest[], entries: EntryCollector): void {
  const folders = new Set(['', ...manifests.map(({ folder }) => folder)]);
  for (const folder of folders) {
    const prefix = inFolder(folder, '');
    for (const name of usualFiles)
      entries.add(
        entries.files.named(`${prefix}${name}`).filter((file) => !file.startsWith(`${prefix}${name}/`)),
        'programs usually begin here',
      );
  }
}
