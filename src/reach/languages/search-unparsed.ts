import { setImmediate as nextMacrotask } from 'node:timers/promises';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { noDetails, type PackageUse, type Role, type SearchGap } from './language-reader.js';
import { type Position, positionsIn } from './positions.js';
import type { SourceTree } from './source-tree.js';

/** How to search the files of one language for names of packages. */
export interface Search {
  readonly ecosystem: Ecosystem;
  /** A global expression. The word is its first group, or the whole match without one. */
  readonly words: RegExp;
  /** The packages that a word may name; null where no more words can be looked up. */
  readonly meaning: (word: string, path: string) => readonly string[] | null;
  readonly roleIn: (path: string) => Role;
  readonly reached: { has(path: string): boolean };
}

/** The uses that were found, and the files that could not be searched to their end. */
export interface SearchFindings {
  readonly uses: readonly PackageUse[];
  readonly failed: readonly string[];
  /** One for each file of production that could not be searched: it could use any package. */
  readonly gaps: readonly SearchGap[];
}

const unread = { kind: 'unread_file', line: null, detail: 'too large, or not to be opened', hides: 'any' } as const;

/**
 * Searches files for names of packages, in any context: files that no parser could read, or that are not even text. A
 * package that is named may be used. Each file gives a package one mention.
 */
export async function searchUnparsed(
  tree: SourceTree,
  paths: readonly string[],
  search: Search,
): Promise<SearchFindings> {
  const uses: PackageUse[] = [];
  const gaps: SearchGap[] = [];
  const failed: string[] = [];
  for (const path of paths) {
    const found = namedIn(tree, path, search);
    const role = search.roleIn(path);
    if (found === null) {
      failed.push(path);
      if (role === 'prod') gaps.push({ ...unread, file: path });
    }
    const reached = role === 'prod' && search.reached.has(path);
    for (const [packageName, place] of found ?? []) {
      uses.push({
        ecosystem: search.ecosystem,
        packageName,
        site: { file: path, ...place, kind: 'mention', role, reached, ...noDetails },
      });
    }
    await nextMacrotask();
  }
  return { uses, failed, gaps };
}

/** Each package with the first place that names it; null where the file was not searched to its end. */
function namedIn(tree: SourceTree, path: string, { words, meaning }: Search): ReadonlyMap<string, Position> | null {
  const found = new Map<string, Position>();
  let start: Position = { line: 1, column: 1 };
  const isSearched = tree.search(path, ({ text, end }) => {
    const positionOf = positionsIn(text);
    const placeOf = (offset: number): Position => {
      const { line, column } = positionOf(offset);
      return { line: start.line + line - 1, column: line === 1 ? start.column + column - 1 : column };
    };
    for (const match of text.matchAll(words)) {
      if (match.index >= end) break;
      const [whole, word = whole] = match;
      const packageNames = meaning(word, path);
      if (packageNames === null) return false;
      for (const packageName of packageNames) {
        if (!found.has(packageName)) found.set(packageName, placeOf(match.index + whole.indexOf(word)));
      }
    }
    start = placeOf(end);
    return true;
  });
  return isSearched ? found : null;
}
