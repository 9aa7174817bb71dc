/** Names that are looked for in strings, and the package that each means. */
export interface Candidates {
  /** Where names stand in a text, whatever stands around them; none for a text that mentions none. */
  placesIn(text: string): readonly number[];
  /** The packages that a string names, with the place of each name in it. */
  in(text: string): readonly { readonly packageName: string; readonly subpath: string | null; readonly at: number }[];
}

/** Longer strings are data. */
const longest = 2000;

/** Parts of a string that may be a specifier: what stands between spaces, quotes and what else joins words. */
const word = /[^\s!?:,;=|()[\]{}'"`<>\\]+/g;

/** @param names by the name that the project's sources use, the registry's name */
export function candidatesOf(names: ReadonlyMap<string, string>): Candidates {
  const escaped = [...names.keys()].map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  // Longer names first: the first alternative that fits is taken.
  const alternatives = escaped.sort((a, b) => b.length - a.length).join('|');
  const any = alternatives === '' ? null : new RegExp(`(?<![\\w@.-])(?:${alternatives})(?![\\w-])`);
  const every = any && new RegExp(any, 'g');
  return {
    placesIn: (text) => (every === null ? [] : Array.from(text.matchAll(every), ({ index }) => index)),
    in: (text) => {
      if (any === null || text.length > longest || !any.test(text)) return [];
      return Array.from(text.matchAll(word)).flatMap(({ 0: part, index }) => {
        const found = readWord(part, names);
        return found === null ? [] : [{ ...found, at: index }];
      });
    },
  };
}

/** A word names a package as a specifier does, `hbs` or `hbs/lib/x`, or by where it is installed, `../node_modules/hbs/x`. */
export function readWord(
  part: string,
  names: ReadonlyMap<string, string>,
): { readonly packageName: string; readonly subpath: string | null } | null {
  const installed = part.lastIndexOf('node_modules/');
  const specifier = (installed === -1 ? part : part.slice(installed + 'node_modules/'.length)).replace(
    /^~(?=[@\w])|[.,]$/g,
    '',
  );
  const slash = specifier.indexOf('/', specifier.startsWith('@') ? specifier.indexOf('/') + 1 : 0);
  const name = slash === -1 ? specifier : specifier.slice(0, slash);
  const packageName = names.get(name) ?? names.get(name.replace(/(?<=.)@[^@/]*$/, ''));
  if (packageName === undefined) return null;
  return { packageName, subpath: slash === -1 ? null : specifier.slice(slash + 1) || null };
}
