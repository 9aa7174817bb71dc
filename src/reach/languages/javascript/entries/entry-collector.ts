import { groupBy } from '../../../lockfiles/group-by.js';
import type { Entry } from '../../language-reader.js';
import type { SourceTree } from '../../source-tree.js';
import { fileNameOf, folderOf, joinPath } from '../../tree-path.js';
import { entriesOf, field, textOf } from '../json-values.js';
import { type Command, commandsOf, filesRunBy, scriptNamesIn, scriptsRunBy } from '../project/commands.js';
import { type Manifest, nearest } from '../project/manifests.js';
import { pathPattern } from '../project/path-pattern.js';
import { roleOf } from '../roles.js';
import { isCode, type TreeFiles } from './tree-files.js';

/** Scripts that start scripts: a start command, a shell script, a script of package.json, the next. */
const maxDepth = 5;

/** Limit of shell scripts of one name in the tree, where only the name is known: `ENTRYPOINT ["entrypoint.sh"]`. */
const maxNamesakes = 20;

/**
 * Collects entry points. Of several reasons for one file, the first counts. What is added never depends on what the tree
 * does not have: a further file adds entry points and takes none away.
 */
export class EntryCollector {
  readonly files: TreeFiles;
  readonly tree: SourceTree;
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly #entries = new Map<string, Entry>();
  readonly #followed = new Set<string>();
  readonly #shellScripts: ReadonlyMap<string, readonly string[]>;

  constructor(tree: SourceTree, manifests: ReadonlyMap<string, Manifest>, files: TreeFiles) {
    this.tree = tree;
    this.manifests = manifests;
    this.files = files;
    this.#shellScripts = shellScriptsByName(tree);
  }

  get found(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** Adds those of the files that are code. */
  add(files: readonly string[], reason: string): void {
    for (const file of files) {
      if (!this.#entries.has(file) && isCode(file)) this.#entries.set(file, { file, why: reason });
    }
  }

  /**
   * Adds the files that a shell line runs, also by way of shell scripts and of scripts in package.json.
   *
   * @param folders where the line may be run. It may change to another folder of the tree by `cd`
   */
  addRunBy(line: string, folders: readonly string[], reason: string, depth = 0): void {
    let current = folders;
    for (const command of commandsOf(line)) {
      if (command.program === 'cd') {
        const target = command.words.find((word) => !word.startsWith('-')) ?? '';
        current = folders.flatMap((folder) => this.#foldersNamed(folder, target));
        if (current.length === 0) current = folders;
        continue;
      }
      for (const folder of current) {
        for (const file of this.#filesOf(command, folder)) this.add(file, reason);
        if (depth >= maxDepth) continue;
        this.#followScripts(command, folder, reason, depth);
        this.#followShell(command, folder, reason, depth);
      }
    }
  }

  *#filesOf(command: Command, folder: string): Generator<readonly string[]> {
    for (const file of filesRunBy(command))
      for (const path of insideImage(file)) yield this.files.sources(folder, path);
    // `./bin/www`, and files of code that an unknown program is given.
    for (const word of [command.path, ...command.words]) {
      if (!/\.[mc]?[jt]sx?$/.test(word) && !(word === command.path && word.includes('/'))) continue;
      const named = word.slice(word.indexOf('=') + 1);
      const found = insideImage(named).flatMap((path) => this.files.sources(folder, path));
      yield found.filter((file) => roleOf(file) !== 'config' && (roleOf(file) !== 'test' || word === command.path));
    }
  }

  /** Follows `npm run x`, `run-p start:*`, `yarn workspace api start`, `npm --prefix api start`. */
  #followScripts(command: Command, folder: string, reason: string, depth: number): void {
    const names = scriptNamesIn(command);
    if (names.length === 0) return;
    const tests = names.map((name) => pathPattern(name.replaceAll(':', '/')));
    const named = [...this.manifests.values()].filter(({ name }) => name !== null && names.includes(name));
    const below = names.map((word) => this.manifests.get(joinPath(folder, word.replace(/^.*=/, '')) ?? ''));
    for (const manifest of new Set([nearest(this.manifests, folder), ...named, ...below])) {
      if (manifest === null || manifest === undefined) continue;
      for (const [name, script] of entriesOf(field(manifest.content, 'scripts'))) {
        const key = `${manifest.folder}\0${name}`;
        if (this.#followed.has(key) || !tests.some((test) => test?.(name.replaceAll(':', '/')))) continue;
        this.#followed.add(key);
        this.addRunBy(textOf(script) ?? '', [manifest.folder], reason, depth + 1);
      }
    }
  }

  #followShell(command: Command, folder: string, reason: string, depth: number): void {
    for (const path of scriptsRunBy(command)) {
      const places = insideImage(path).map((inner) => joinPath(folder, inner));
      const found = places.filter((place) => place !== null && this.files.has(place));
      const namesakes = (this.#shellScripts.get(fileNameOf(path)) ?? []).slice(0, maxNamesakes);
      for (const file of found.length > 0 ? [...found, ...namesakes] : namesakes) {
        if (file !== null) this.addRunByShell(file, [folder], reason, depth + 1);
      }
    }
  }

  /** Adds what a shell script of the tree runs. It is run in one of the folders, or in its own. */
  addRunByShell(file: string, folders: readonly string[], reason: string, depth = 0): void {
    const key = `${file}\0${folders.join('\0')}`;
    if (this.#followed.has(key)) return;
    this.#followed.add(key);
    const text = isCode(file) && fileNameOf(file).includes('.') ? null : this.tree.read(file);
    if (text === null || /^#!.*\b(?:node|tsx|ts-node|bun|deno|python\d?|ruby|perl|php)\b/.test(text)) return;
    const own = folderOf(file);
    const from = new Set([...folders, own, nearest(this.manifests, own)?.folder ?? own]);
    for (const line of text.replace(/\\\r?\n/g, ' ').split('\n')) {
      if (!/^\s*#/.test(line)) this.addRunBy(line, [...from], reason, depth);
    }
  }

  /** The file's own folder, that of the package around it, and the root of the tree. */
  foldersAround(path: string): string[] {
    return [...new Set([folderOf(path), this.packageFolder(path), ''])];
  }

  /** The folder of the nearest manifest above a file; the tree's root without one. */
  packageFolder(path: string): string {
    return nearest(this.manifests, folderOf(path))?.folder ?? '';
  }

  #foldersNamed(folder: string, target: string): string[] {
    return insideImage(target.replace(/^["']|["']$/g, ''))
      .map((path) => joinPath(folder, path))
      .filter((path) => path !== null)
      .filter((path) => this.files.hasFolder(path));
  }
}

/** Folders in the path of an image. */
const maxFolders = 20;

/** The paths in the tree that a path may mean. That of an image, `/srv/app/dist/x.js`, may end with one. */
export function insideImage(path: string): readonly string[] {
  const clean = path.replace(/^(?:\$\{?\w+\}?|"\$\w+")\//, '/');
  if (!clean.startsWith('/')) return [clean];
  const parts = clean
    .split('/')
    .filter((part) => part !== '')
    .slice(-maxFolders);
  return parts.map((_, at) => parts.slice(at).join('/'));
}

const shellScript = /\.(?:sh|bash)$|^(?:docker-)?entrypoint[^.]*$/;

function shellScriptsByName({ files }: SourceTree): ReadonlyMap<string, readonly string[]> {
  const scripts = files.map(({ path }) => path).filter((path) => shellScript.test(fileNameOf(path)));
  return groupBy(scripts, fileNameOf);
}
