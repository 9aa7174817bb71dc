import { parseJsonc } from '../../../shared/json/jsonc.js';
import type { Entry, SourceTree } from '../../analysis/language.js';
import { commandsOf, filesRunBy } from './commands.js';
import { startLines } from './containers.js';
import { loadedBy } from './entries/frameworks.js';
import { allStrings, entriesOf, field, stringsIn, textOf } from './loose.js';
import { type Manifest, nearest } from './manifests.js';
import { container } from './mentions/configuration-files.js';
import { scriptSources } from './parse/script-blocks.js';
import type { FileLookup } from './resolve/file-lookup.js';
import { roleOf } from './roles.js';
import { sourceKindOf } from './source-kinds.js';
import { folderOf, joined, nameIn } from './tree-paths.js';

/** Scripts of package.json that run the program itself, not something around it. */
const running = /^(?:start|serve|server|prod|production|worker|web|dev|develop|debug)(?:[:._-].*)?$/;
const aroundIt = /test|e2e|mock|storybook|lint|docs/;

/** Whether a script of package.json, by its name, runs the program itself. */
export function isRunning(script: string): boolean {
  return running.test(script) && !aroundIt.test(script);
}

/** Pages that are looked at for scripts. */
const maxPages = 500;

/**
 * Where production starts: the files that were given, or what manifests, pages, containers and the conventions of
 * frameworks name. A package in which nothing of this is found starts where servers usually do.
 */
export function findEntries(
  tree: SourceTree,
  manifests: ReadonlyMap<string, Manifest>,
  lookup: FileLookup,
  given: readonly string[],
): readonly Entry[] {
  const entries = new Map<string, Entry>();
  const add = (files: readonly string[], why: string) => {
    for (const file of files) if (!entries.has(file) && sourceKindOf(file) !== null) entries.set(file, { file, why });
  };
  for (const path of given) add(lookup.files(joined('', path.replaceAll('\\', '/'))), 'given');
  if (entries.size > 0) return [...entries.values()];

  const production = [...manifests.values()].filter(({ folder }) => roleOf(`${folder}/x`) !== 'test');
  for (const manifest of production) addFromManifest(manifest, lookup, add);
  let pages = 0;
  for (const { path } of tree.files) {
    const name = nameIn(path);
    if (roleOf(path) === 'test') continue;
    if (/\.html?$/.test(name) && pages++ < maxPages) addFromPage(tree, path, lookup, add);
    else if (container.test(name)) {
      const folder = folderOf(path);
      const text = tree.read(path) ?? '';
      for (const line of startLines(text)) add(runFiles(line.text, folder, lookup), `started by ${name}`);
    } else if (name === 'angular.json' || name === 'project.json' || name === 'nest-cli.json') {
      addFromBuild(parseJsonc(tree.read(path) ?? ''), path, lookup, add);
    } else if (/^serverless\.ya?ml$|^wrangler\.(?:toml|jsonc?)$/.test(name)) {
      const text = tree.read(path) ?? '';
      for (const match of text.matchAll(/(?:^\s*handler:\s*|^\s*"?main"?\s*[=:]\s*)["']?([\w./-]+)/gm)) {
        const target = match[1] ?? '';
        add(
          [
            ...lookup.files(joined(folderOf(path), target)),
            ...lookup.files(joined(folderOf(path), target.replace(/\.\w+$/, ''))),
          ],
          `named in ${name}`,
        );
      }
    }
  }
  for (const { path } of tree.files) {
    if (sourceKindOf(path) === null || roleOf(path) === 'test') continue;
    const manifest = nearest(manifests, folderOf(path));
    if (manifest === null) continue;
    const framework = loadedBy(
      manifest.folder === '' ? path : path.slice(manifest.folder.length + 1),
      manifest.declared,
    );
    if (framework !== null) add([path], `${framework} loads it`);
  }
  addUsual(production, entries, lookup, add);
  return [...entries.values()];
}

type Add = (files: readonly string[], why: string) => void;

function addFromManifest({ folder, content }: Manifest, lookup: FileLookup, add: Add): void {
  for (const name of ['main', 'module', 'browser', 'bin', 'source']) {
    const value = field(content, name);
    const targets = typeof value === 'string' ? [value] : entriesOf(value).map(([, target]) => textOf(target) ?? '');
    for (const target of targets)
      add(target === '' ? [] : lookup.sources(folder, target), `${name} of ${manifestName(folder)}`);
  }
  for (const target of allStrings(field(content, 'exports'))) {
    if (!target.startsWith('./')) continue;
    const [prefix = '', suffix] = target.split('*');
    const start = joined(folder, prefix) ?? '';
    const files =
      suffix === undefined
        ? lookup.sources(folder, target)
        : lookup.matching(prefix.endsWith('/') ? `${start}/` : start, suffix, 'any');
    add(
      files.filter((file) => roleOf(file) === 'prod'),
      `exports of ${manifestName(folder)}`,
    );
  }
  for (const [name, command] of entriesOf(field(content, 'scripts'))) {
    if (!isRunning(name)) continue;
    add(runFiles(textOf(command) ?? '', folder, lookup), `script ${name} of ${manifestName(folder)}`);
  }
}

function manifestName(folder: string): string {
  return folder === '' ? 'package.json' : `${folder}/package.json`;
}

/** The files that a shell line runs, `cd` into a folder of the tree included. */
function runFiles(line: string, folder: string, lookup: FileLookup): readonly string[] {
  let at: string | null = folder;
  const files: string[] = [];
  for (const command of commandsOf(line)) {
    if (command.program === 'cd') at = joined(at ?? folder, command.words[0] ?? '');
    else
      for (const file of filesRunBy(command))
        files.push(
          ...lookup.sources(at ?? folder, file.replace(/^\/(?:usr\/src\/app|app|src|home\/node\/app|workspace)\//, '')),
        );
  }
  return files;
}

function addFromPage(tree: SourceTree, path: string, lookup: FileLookup, add: Add): void {
  const text = tree.read(path) ?? '';
  for (const source of scriptSources(text)) {
    const target = source.replace(/[?#].*$/, '');
    if (/^(?:[a-z]+:)?\/\//i.test(target)) continue;
    const folder = folderOf(path);
    const places = [joined(folder, target), joined(folder, `public/${target}`), joined('', target)];
    const files = places.map((place) => lookup.files(place)).find((found) => found.length > 0);
    add(files ?? [], `script of ${path}`);
  }
}

/** Fields of a build's configuration that name where a program starts (Angular, Nx, NestJS). */
const starts = ['main', 'browser', 'server', 'polyfills', 'entry', 'entryFile'];

function addFromBuild(content: unknown, path: string, lookup: FileLookup, add: Add): void {
  const root = textOf(field(content, 'sourceRoot'));
  const open: unknown[] = [content];
  for (let next = open.pop(), seen = 0; next !== undefined && seen < 10_000; next = open.pop(), seen++) {
    for (const [name, value] of entriesOf(next)) {
      if (name === 'test' || name === 'e2e') continue;
      if (typeof value === 'object') open.push(value);
      if (!starts.includes(name)) continue;
      for (const target of stringsIn(value)) {
        const folder = folderOf(path);
        const places = [joined(folder, target), joined('', target), joined(folder, `${root ?? 'src'}/${target}`)];
        add(
          places.flatMap((place) => lookup.files(place)),
          `${name} of ${path}`,
        );
      }
    }
  }
}

const usual = [
  'server',
  'app',
  'index',
  'main',
  'src/index',
  'src/main',
  'src/server',
  'src/app',
  'bin/www',
  'lib/index',
  'App',
  'src/App',
];

/** Of a package without any entry: where servers and libraries usually begin. */
function addUsual(
  manifests: readonly Manifest[],
  entries: ReadonlyMap<string, Entry>,
  lookup: FileLookup,
  add: Add,
): void {
  const folders = manifests.length === 0 ? [''] : manifests.map(({ folder }) => folder);
  for (const folder of folders) {
    const prefix = folder === '' ? '' : `${folder}/`;
    const inner = folders.filter((other) => other !== folder && other.startsWith(prefix));
    const has = [...entries.keys()].some(
      (file) => file.startsWith(prefix) && !inner.some((other) => file.startsWith(`${other}/`)),
    );
    if (has) continue;
    for (const name of usual) {
      const files = lookup.files(`${prefix}${name}`);
      if (files.length === 0 || files.some((file) => file.endsWith('.json'))) continue;
      add(files, 'nothing else names an entry, and programs usually begin here');
      break;
    }
  }
}
