import type { Search } from '../analysis/search.js';
import type { Connections } from './language.js';

/** Names with what joins them to paths: `a.b`, `a::b`, `a/b`, `A\\B`, `a-b`. */
export const words = /[\w$]{1,200}(?:(?:[./\\-]|::)[\w$]{1,200}){0,20}/g;

/** Different words of one language's unparsed files that are looked up; a text has some thousands. */
const maxWords = 200_000;

/** Takes any word of a broken file for a reference: whole, and each of its names. */
export function meaningOf(connections: Connections): Search['meaning'] {
  const known = new Map<string, readonly string[]>();
  return (word, path) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    if (known.size >= maxWords) return null;
    const packages = [word, ...word.split(/\W+/)].flatMap((target) => {
      const reference = { target, line: 1, column: 1, kind: 'mention', symbols: [], symbolsComplete: false } as const;
      return connections.target(path, reference).packages.map(({ name }) => name);
    });
    known.set(word, packages);
    return packages;
  };
}
