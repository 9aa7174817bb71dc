import type { KnowledgeFiles } from './bundle.js';
import { type Knowledge, KnowledgeError, parseKnowledge, type Rows } from './knowledge-file.js';
import { frameworksFolder, parseSet, readSet, requireParts, shippedSet } from './knowledge-set.js';

/** The set that this process reads, from its first use on. */
let current: KnowledgeFiles | undefined;

/**
 * Reads the set of a folder in place of the shipped one. Each of its files is parsed before one is used. Modules keep what
 * they have read, so this comes before all of them.
 */
export function chooseKnowledge(folder: string): void {
  if (current !== undefined) throw new Error('knowledge was chosen after its first use');
  const chosen = readSet(folder);
  requireParts(parseSet(chosen), parseSet(shippedSet()));
  current = chosen;
}

function files(): KnowledgeFiles {
  current ??= shippedSet();
  return current;
}

function read(path: string): Knowledge {
  const text = files().get(`${path}.json`);
  if (text === undefined) throw new KnowledgeError(`${path}.json: is missing`);
  return parseKnowledge(`${path}.json`, text);
}

/** The rows of a table of the folder `knowledge`. @param path without its extension */
export function rowsOf(path: string): Rows {
  const file = read(path);
  if ('rows' in file) return file.rows;
  throw new KnowledgeError(`${path}.json: rows: is missing`);
}

/** The lists of a file of the folder `knowledge`, each by its name. */
export function listsOf(path: string): (name: string) => readonly string[] {
  const file = read(path);
  return (name) => {
    const list = 'lists' in file ? file.lists[name] : undefined;
    if (list === undefined) throw new KnowledgeError(`${path}.json: lists.${name}: is missing`);
    return list;
  };
}

/** The same lists as sets. */
export function setsOf(path: string): (name: string) => ReadonlySet<string> {
  const listOf = listsOf(path);
  return (name) => new Set(listOf(name));
}

/** The development tools of a file of the folder `knowledge`, by ecosystem. */
export function toolsOf(path: string): Extract<Knowledge, { tools: unknown }>['tools'] {
  const file = read(path);
  if ('tools' in file) return file.tools;
  throw new KnowledgeError(`${path}.json: tools: is missing`);
}

/** All frameworks that have a file. */
export function frameworksOf(): Extract<Knowledge, { loads: unknown }>[] {
  return [...files().keys()].sort().flatMap((path) => {
    const file = path.startsWith(frameworksFolder) ? read(path.replace(/\.json$/, '')) : null;
    return file !== null && 'loads' in file ? [file] : [];
  });
}
