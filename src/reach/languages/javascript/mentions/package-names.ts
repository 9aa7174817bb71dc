/** A package that a word names, and what follows its name there. */
interface NamedPackage {
  readonly packageName: string;
  readonly subpath: string | null;
}

export interface NameSearch {
  /** The offsets of all names in a text, whether or not they are whole specifiers. */
  offsetsIn(text: string): readonly number[];
  /** The packages that the words of a string name. */
  packagesIn(string: string): readonly (NamedPackage & { readonly offset: number })[];
}

/** A longer string is data. */
const maxStringLength = 2000;

/** A part of a string that may be a specifier: between spaces, quotes and other characters that separate words. */
const word = /[^\s!?:,;=|()[\]{}'"`<>\\]+/g;

/** @param names the registry's name of each package, by the name that the project uses */
export function searchFor(names: ReadonlyMap<string, string>): NameSearch {
  const escaped = [...names.keys()].map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  // Longer names first: the first alternative that matches is taken.
  const alternatives = escaped.sort((a, b) => b.length - a.length).join('|');
  const any = alternatives === '' ? null : new RegExp(`(?<![\\w@.-])(?:${alternatives})(?![\\w-])`);
  const every = any && new RegExp(any, 'g');
  return {
    offsetsIn: (text) => (every === null ? [] : Array.from(text.matchAll(every), ({ index }) => index)),
    packagesIn: (string) => {
      if (any === null || string.length > maxStringLength || !any.test(string)) return [];
      return Array.from(string.matchAll(word)).flatMap(({ 0: part, index }) => {
        const found = packageNamed(part, names);
        return found === null ? [] : [{ ...found, offset: index }];
      });
    },
  };
}

/** The package that a word names: as a specifier, `hbs` or `hbs/lib/x`, or as an installed file, `../node_modules/hbs/x`. */
export function packageNamed(part: string, names: ReadonlyMap<string, string>): NamedPackage | null {
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
