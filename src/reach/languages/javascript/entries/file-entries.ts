import { parseJsonc } from '../../../../shared/json/jsonc.js';
import type { SourceTree } from '../../source-tree.js';
import { fileNameOf, folderOf, joinPath } from '../../tree-path.js';
import { entriesOf, field, stringsIn, textOf } from '../json-values.js';
import { scriptSources } from '../parse/script-blocks.js';
import { containerFile, startCommands } from '../project/containers.js';
import { roleOf } from '../roles.js';
import type { EntryCollector } from './entry-collector.js';

/** Limit of HTML pages that are read for scripts. */
const maxPages = 500;

const buildFiles = new Set(['angular.json', 'project.json', 'nest-cli.json']);
const serverlessFile = /^serverless\.ya?ml$|^wrangler\.(?:toml|jsonc?)$/;

/** Adds the files that pages, containers and the configurations of builds and serverless platforms name. */
export function addFromFiles(tree: SourceTree, entries: EntryCollector): void {
  let pages = 0;
  for (const { path } of tree.files) {
    const addFrom = readerFor(fileNameOf(path));
    if (addFrom === null || roleOf(path) === 'test') continue;
    if (addFrom === addFromPage && pages++ >= maxPages) continue;
    addFrom(tree.read(path) ?? '', path, entries);
  }
}

function readerFor(name: string): ((text: string, path: string, entries: EntryCollector) => void) | null {
  if (/\.html?$/.test(name)) return addFromPage;
  if (containerFile.test(name)) return addFromContainer;
  if (buildFiles.has(name)) return addFromBuild;
  return serverlessFile.test(name) ? addFromServerless : null;
}

function addFromPage(text: string, path: string, entries: EntryCollector): void {
  const folder = folderOf(path);
  for (const source of scriptSources(text)) {
    const target = source.replace(/[?#].*$/, '');
    if (/^(?:[a-z]+:)?\/\//i.test(target)) continue;
    const places = [joinPath(folder, target), joinPath(folder, `public/${target}`), joinPath('', target)];
    const files = places.map((place) => entries.lookup.files(place)).find((found) => found.length > 0);
    entries.add(files ?? [], `script of ${path}`);
  }
}

function addFromContainer(text: string, path: string, entries: EntryCollector): void {
  for (const command of startCommands(text))
    entries.addRunBy(command.text, folderOf(path), `started by ${fileNameOf(path)}`);
}

/** Limit of objects and lists in a build configuration. */
const maxBuildValues = 10_000;

/** Fields of a build configuration that name where a program starts (Angular, Nx, NestJS). */
const startFields = new Set(['main', 'browser', 'server', 'polyfills', 'entry', 'entryFile']);

function addFromBuild(text: string, path: string, entries: EntryCollector): void {
  const content = parseJsonc(text);
  const folder = folderOf(path);
  const sourceRoot = textOf(field(content, 'sourceRoot')) ?? 'src';
  const pending: unknown[] = [content];
  for (let visited = 0; pending.length > 0 && visited < maxBuildValues; visited++) {
    for (const [name, value] of entriesOf(pending.pop())) {
      if (name === 'test' || name === 'e2e') continue;
      if (typeof value === 'object') pending.push(value);
      if (!startFields.has(name)) continue;
      for (const target of stringsIn(value)) {
        const places = [joinPath(folder, target), joinPath('', target), joinPath(folder, `${sourceRoot}/${target}`)];
        entries.add(
          places.flatMap((place) => entries.lookup.files(place)),
          `${name} of ${path}`,
        );
      }
    }
  }
}

function addFromServerless(text: string, path: string, entries: EntryCollector): void {
  for (const [, target = ''] of text.matchAll(/(?:^\s*handler:\s*|^\s*"?main"?\s*[=:]\s*)["']?([\w./-]+)/gm)) {
    // `src/app.handler` names the export `handler` of src/app.
    for (const file of [target, target.replace(/\.\w+$/, '')])
      entries.add(entries.lookup.files(joinPath(folderOf(path), file)), `named in ${fileNameOf(path)}`);
  }
}
