import type { Connections } from './language.js';
import type { Search } from './search-unparsed.js';

/** Names, and the signs that join them to paths: `a.b`, `a::b`, `a/b`, `A\\B`, `a-b`. */
export const words = /[\w$]{1,200}(?:(?:[./\\-]|::)[\w$]{1,200}){0,20}/g;

/** Different words looked up in the unparsed files of one language. A text has some thousands. */
const maxWords = 200_000;

/** Reads each word of a broken file as a reference: the whole word, and each name in it. */
export function meaningOf(connections: Connections): Search['meaning'] {
  const known = new Map<string, readonly string[]>();
  return (word, path) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    if (known.size >= maxWords) return null;
    const packages = [word, ...word.split(/\W+/)].flatMap((target) => {
      const reference = { target, line: 1, column: 1, kind: 'mention' } as const;
      return connections.target(path, reference).packages.map(({ name }) => name);
    });
    known.set(word, packages);
    return packages;
  };
}
