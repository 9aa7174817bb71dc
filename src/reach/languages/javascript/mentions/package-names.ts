import { alternatives } from '../../patterns.js';
import { wordSet } from '../../word-set.js';
import type { PlacedString } from './file-strings.js';
import { iconPackages } from './icon-names.js';
import { type Family, shortNamesFor } from './shorthand-names.js';

/** A package that a word names, and what follows its name there. */
interface NamedPackage {
  readonly packageName: string;
  readonly subpath: string | null;
}

export interface NameSearch {
  /** The registry's name of each package, by the name that the project uses. */
  readonly names: ReadonlyMap<string, string>;
  /** The offsets of all names in a text, whether or not they are whole specifiers. */
  offsetsIn(text: string): readonly number[];
  /** The packages that the words of a string name. */
  packagesIn(string: string): readonly (NamedPackage & { readonly offset: number })[];
  /** The packages whose icons a text names. */
  iconsIn(text: string): readonly PlacedString[];
  /** The short names that a configuration of this name can have. */
  shortNames(fileName: string): readonly Family[];
}

/** A longer string is data. */
const maxStringLength = 2000;

/** A part of a string that may be a specifier: between spaces, quotes and other characters that separate words. */
const word = /[^\s!?:,;=|()[\]{}'"`<>\\]+/g;

export function searchFor(names: ReadonlyMap<string, string>): NameSearch {
  const escaped = [...names.keys()].map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  // Longer names first: the first alternative that matches is taken.
  const alternatives = escaped.sort((a, b) => b.length - a.length).join('|');
  const any = alternatives === '' ? null : new RegExp(`(?<![\\w@.-])(?:${alternatives})(?!\\w|-(?!\\d))`);
  const every = any && new RegExp(any, 'g');
  return {
    names,
    iconsIn: iconPackages(names),
    shortNames: shortNamesFor(names),
    offsetsIn: (text) => (every === null ? [] : Array.from(text.matchAll(every), ({ index }) => index)),
    packagesIn: (string) => {
      if (any === null || string.length > maxStringLength || !any.test(string)) return [];
      return Array.from(string.matchAll(word)).flatMap(({ 0: part, index }) => {
        const found = packageNamed(part, names);
        if (found !== null) return [{ ...found, offset: index }];
        return packagesOfAsset(part, names).map((packageName) => ({ packageName, subpath: null, offset: index }));
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

/** A file that a page loads: `/vendor/jquery-3.7.1.min.js`, `https://cdn.example/npm/vue@3/dist/vue.global.js`. */
const asset = /\.(?:[cm]?js|css|scss|less)(?:[?#].*)?$/i;
/** Folders and files that many packages and projects have, although packages are named so too. */
const commonNames = wordSet(
  'js css lib libs dist build src assets asset vendor vendors public static npm ajax index main app min bundle scripts',
  'styles common shared core client server plugins modules components config utils util test tests',
);
const builds = alternatives(
  'min slim bundle bundled umd esm global prod production development all pkgd full runtime browser',
);
const assetEnding = new RegExp(`(?:[.-](?:${builds}))*\\.(?:[cm]?js|css|scss|less)$`, 'i');

/** The packages that a part of the path of an asset names, also with a version: `lib/tinymce/tinymce.min.js`. */
function packagesOfAsset(path: string, names: ReadonlyMap<string, string>): readonly string[] {
  if (!asset.test(path)) return [];
  const parts = path.replace(/[?#].*$/, '').split('/');
  const found = parts.flatMap((part, at) => {
    const stem = part
      .replace(/(?<=.)@[^@]*$/, '')
      .replace(assetEnding, '')
      .replace(/[.-]v?\d[\d.]*$/, '');
    if (part === '' || commonNames.has(stem)) return [];
    const scope = parts[at - 1] ?? '';
    const spellings = [
      part,
      stem,
      `${stem}.js`,
      ...(scope.startsWith('@') ? [`${scope}/${part}`, `${scope}/${stem}`] : []),
    ];
    return spellings.flatMap((name) => names.get(name) ?? []);
  });
  return [...new Set(found)];
}
