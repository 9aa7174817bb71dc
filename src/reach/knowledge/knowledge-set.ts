import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { type KnowledgeFiles, maxBytes, maxFiles, openBundle } from './bundle.js';
import { type Knowledge, KnowledgeError, parseKnowledge } from './knowledge-file.js';

/** The file of a set that is one bundle. */
export const bundleName = 'knowledge.json';

/** A file that is at the top of each set of single files. */
const topFile = 'folders.json';

/** Frameworks come and go with the sets; all other files are read by their names. */
export const frameworksFolder = 'javascript/frameworks/';

/** Thirty times what we ship. */
const maxRows = 200_000;

/** Reads a set: the bundle of a folder, or else the files in and below it. Throws KnowledgeError. */
export function readSet(folder: string): KnowledgeFiles {
  const bundled = join(folder, bundleName);
  if (existsSync(bundled)) return openBundle(bundled, readText(bundled), null).files;
  if (!existsSync(join(folder, topFile)))
    throw new KnowledgeError(
      `${folder}: has no knowledge; it takes ${bundleName}, or the files of a set as ${topFile}`,
    );
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ parentPath, name }) => join(parentPath, name));
  if (found.length > maxFiles) throw new KnowledgeError(`${folder}: has more than ${maxFiles} files`);
  return new Map(found.sort().map((file) => [relative(folder, file).replaceAll(sep, '/'), readText(file)]));
}

/** A text of at most `maxBytes`. */
export function readText(file: string): string {
  try {
    if (statSync(file).size > maxBytes) throw new KnowledgeError(`${file}: is larger than ${maxBytes} bytes`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof KnowledgeError) throw error;
    throw new KnowledgeError(`${file}: cannot be read (${codeOfError(error) ?? 'unknown reason'})`);
  }
}

/** The set that came with the program: a bundle beside the built programs, and the folder `knowledge` in a clone. */
export function shippedSet(): KnowledgeFiles {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, bundleName))) return readSet(folder);
    if (existsSync(join(folder, 'knowledge', topFile))) return readSet(join(folder, 'knowledge'));
    if (folder === dirname(folder)) throw new KnowledgeError('the program lacks its knowledge: install it again');
  }
}

/** The files of a set, parsed. */
export type ParsedSet = ReadonlyMap<string, Knowledge>;

/** Parses each file of a set. @throws KnowledgeError for a file that is wrong */
export function parseSet(files: KnowledgeFiles): ParsedSet {
  const parsed = new Map([...files].map(([path, text]) => [path, parseKnowledge(path, text)]));
  let rows = 0;
  for (const file of parsed.values()) rows += rowsIn(file).length;
  if (rows > maxRows) throw new KnowledgeError(`the set has more than ${maxRows} rows`);
  return parsed;
}

/** Throws KnowledgeError where a set lacks what the program reads of the shipped one. */
export function requireParts(parsed: ParsedSet, shipped: ParsedSet): void {
  for (const [path, file] of shipped) {
    if (path.startsWith(frameworksFolder)) continue;
    const found = parsed.get(path);
    if (found === undefined) throw new KnowledgeError(`${path}: is missing, and this version of the program reads it`);
    const missing = partsOf(file).find((part) => !partsOf(found).includes(part));
    if (missing !== undefined) throw new KnowledgeError(`${path}: ${missing}: is missing`);
  }
}

/** The parts that the program reads by name: the field of the rows, and each of lists. */
function partsOf(file: Knowledge): string[] {
  if ('lists' in file) return Object.keys(file.lists).map((name) => `lists.${name}`);
  return 'rows' in file ? ['rows'] : 'tools' in file ? ['tools'] : ['loads'];
}

/** The rows of a file, each as a text of its own. */
export function rowsIn(file: Knowledge): string[] {
  if ('rows' in file) return Object.entries(file.rows).map((row) => JSON.stringify(row));
  if ('lists' in file)
    return Object.entries(file.lists).flatMap(([name, texts]) => texts.map((text) => JSON.stringify([name, text])));
  if ('tools' in file)
    return Object.entries(file.tools).flatMap(([ecosystem, tools]) =>
      Object.entries(tools).map((tool) => JSON.stringify([ecosystem, ...tool])),
    );
  return file.loads.map((row) => JSON.stringify([file.packages, file.anyCase, row]));
}

/** The newest day on which a file of a set was checked. */
export function dateOf(parsed: ParsedSet): string {
  return [...parsed.values()].reduce((newest, { checked }) => (checked > newest ? checked : newest), '');
}
