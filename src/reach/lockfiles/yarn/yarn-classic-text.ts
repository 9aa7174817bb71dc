import { LockfileError, rejectConflict, type Source } from '../source.js';

/** One entry of a Yarn 1 lock file: the patterns (`name@range`) that it resolves, and the package's fields. */
export interface ClassicEntry {
  readonly patterns: readonly string[];
  readonly fields: Map<string, string>;
  readonly dependencies: Map<string, string>;
  readonly optionalDependencies: Map<string, string>;
}

/** A quoted word with the escapes of JSON, or a bare word without a colon. */
const word = /"(?:[^"\\]|\\.)*"|[^\s",:]+/y;

/** Characters; the longest lines that we know of list the patterns of one much used package. */
const maxLineLength = 1_000_000;

/**
 * Parses the text of a Yarn 1 lock file: entries begin in the first column, their fields are indented by two spaces, and
 * the lines of a block (`dependencies:`) by four. Source: the files themselves; Yarn documents no grammar.
 */
export function parseClassic(source: Source): ClassicEntry[] {
  rejectConflict(source);
  const entries: ClassicEntry[] = [];
  let entry: ClassicEntry | undefined;
  let block: Map<string, string> | undefined;
  for (const [index, line] of source.text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const fail = (expected: string) => new LockfileError(source.file, `line ${index + 1}: expected ${expected}`);
    const indent = line.length - line.trimStart().length;
    const words = line.length > maxLineLength ? null : readWords(line);
    const opens = line.endsWith(':');
    if (words === null) throw fail('words, quoted or bare, as Yarn 1 writes them');
    const [key = '', value] = words;
    if (indent === 0) {
      if (!opens) throw fail('an entry such as `lodash@^4.17.0:`');
      entry = { patterns: words, fields: new Map(), dependencies: new Map(), optionalDependencies: new Map() };
      entries.push(entry);
      block = undefined;
    } else if (entry === undefined) throw fail('an entry before this indented line');
    else if (indent === 2 && opens && words.length === 1) {
      block = key === 'dependencies' || key === 'optionalDependencies' ? entry[key] : new Map();
    } else if (indent === 2 && value !== undefined) {
      entry.fields.set(key, value);
      block = undefined;
    } else if (indent === 4 && block !== undefined && value !== undefined) block.set(key, value);
    else throw fail('a field such as `version "1.0.0"`, or a dependency in a block');
  }
  return entries;
}

function readWords(line: string): string[] | null {
  const words: string[] = [];
  let at = line.length - line.trimStart().length;
  while (at < line.length) {
    word.lastIndex = at;
    const found = word.exec(line)?.[0];
    if (found === undefined) return null;
    const text = found.startsWith('"') ? unquote(found) : found;
    if (text === null) return null;
    words.push(text);
    at = word.lastIndex;
    if (line.slice(at) === ':') return words;
    while (line[at] === ' ' || line[at] === ',') at++;
  }
  return words;
}

function unquote(quoted: string): string | null {
  try {
    const text: unknown = JSON.parse(quoted);
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}
