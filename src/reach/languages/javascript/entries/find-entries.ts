import type { Entry } from '../../language-reader.js';
import type { SourceTree } from '../../source-tree.js';
import { folderOf, joinPath } from '../../tree-path.js';
import { type Manifest, nearest } from '../project/manifests.js';
import type { FileLookup } from '../resolve/file-lookup.js';
import { roleOf } from '../roles.js';
import { sourceKindOf } from '../source-kinds.js';
import { EntryCollector } from './entry-collector.js';
import { addFromFiles } from './file-entries.js';
import { frameworkLoading } from './frameworks.js';
import { addFromManifest } from './manifest-entries.js';

/**
 * The entry points of production: the given files, or what manifests, pages, containers and the conventions of frameworks
 * name. A package without any of these gets the file where servers and libraries usually start.
 */
export function findEntries(
  tree: SourceTree,
  manifests: ReadonlyMap<string, Manifest>,
  lookup: FileLookup,
  given: readonly string[],
): readonly Entry[] {
  const entries = new EntryCollector(lookup);
  for (const path of given) entries.add(lookup.files(joinPath('', path.replaceAll('\\', '/'))), 'given');
  if (entries.found.length > 0) return entries.found;

  const production = [...manifests.values()].filter(({ folder }) => roleOf(`${folder}/x`) !== 'test');
  for (const manifest of production) addFromManifest(manifest, entries);
  addFromFiles(tree, entries);
  addFrameworkFiles(tree, manifests, entries);
  addUsual(production, entries);
  return entries.found;
}

function addFrameworkFiles(tree: SourceTree, manifests: ReadonlyMap<string, Manifest>, entries: EntryCollector): void {
  for (const { path } of tree.files) {
    if (sourceKindOf(path) === null || roleOf(path) === 'test') continue;
    const manifest = nearest(manifests, folderOf(path));
    if (manifest === null) continue;
    const { folder, declared } = manifest;
    const framework = frameworkLoading(folder === '' ? path : path.slice(folder.length + 1), declared);
    if (framework !== null) entries.add([path], `${framework} loads it`);
  }
}

const usualFiles = 'server app index main src/index src/main src/server src/app bin/www lib/index App src/App'.split(
  ' ',
);

/** Adds the usual file of each package that has no entry point. Those of packages inside it do not count. */
function addUsual(manifests: readonly Manifest[], entries: EntryCollector): void {
  const folders = manifests.length === 0 ? [''] : manifests.map(({ folder }) => folder);
  for (const folder of folders) {
    const prefix = folder === '' ? '' : `${folder}/`;
    const inner = folders.filter((other) => other !== folder && other.startsWith(prefix));
    const hasEntry = entries.found.some(
      ({ file }) => file.startsWith(prefix) && !inner.some((other) => file.startsWith(`${other}/`)),
    );
    if (hasEntry) continue;
    for (const name of usualFiles) {
      const files = entries.lookup.files(`${prefix}${name}`);
      if (files.length === 0 || files.some((file) => file.endsWith('.json'))) continue;
      entries.add(files, 'nothing else names an entry, and programs usually begin here');
      break;
    }
  }
}
