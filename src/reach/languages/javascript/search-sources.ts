import type { PackageUse, Role, SearchGap } from '../language-reader.js';
import { type SearchFindings, searchUnparsed } from '../search-unparsed.js';
import type { SourceTree } from '../source-tree.js';
import { quoted } from './mentions/file-strings.js';
import { packageNamed } from './mentions/package-names.js';
import { type Manifest, registryName } from './project/manifests.js';

export interface SourceSearch {
  readonly lockedNames: ReadonlySet<string>;
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** By file, the packages that its imports name; a mention adds nothing to these. */
  readonly imported: ReadonlyMap<string, ReadonlySet<string>>;
  readonly roleIn: (path: string) => Role;
  readonly reached: { has(path: string): boolean };
}

/** Searches sources that could not be parsed for quoted names of packages. */
export function searchSources(
  tree: SourceTree,
  paths: readonly string[],
  { lockedNames, manifests, imported, roleIn, reached }: SourceSearch,
): Promise<SearchFindings> {
  const meaning = quotedPackages(lockedNames, manifests, imported);
  return searchUnparsed(tree, paths, { ecosystem: 'npm', words: quoted, meaning, roleIn, reached });
}

export function unreadFile(path: string): SearchGap {
  return { kind: 'unread_file', file: path, line: null, detail: 'too large to be searched, or gone', hides: 'any' };
}

/** The packages whose values each of the files imports. */
export function importedByFile(
  files: ReadonlySet<string>,
  uses: readonly PackageUse[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const imported = new Map([...files].map((path) => [path, new Set<string>()]));
  for (const { packageName, site } of uses) if (!site.typeOnly) imported.get(site.file)?.add(packageName);
  return imported;
}

/**
 * Finds the locked packages that a quoted word of an unparsed file may name: `a`, `a/sub`, `../node_modules/a/x`, an alias
 * of a manifest, or the loaders of `style-loader!css-loader!./x`.
 *
 * @param imported by file, the packages that its imports name; a mention adds nothing to these
 */
function quotedPackages(
  lockedNames: ReadonlySet<string>,
  manifests: ReadonlyMap<string, Manifest>,
  imported: ReadonlyMap<string, ReadonlySet<string>>,
): (word: string, path: string) => readonly string[] {
  const names = new Map<string, string>();
  for (const name of lockedNames) names.set(name, name);
  for (const { declared } of manifests.values()) {
    for (const [name, range] of declared) {
      const packageName = registryName(name, range);
      if (packageName !== name && lockedNames.has(packageName)) names.set(name, packageName);
    }
  }
  return (word, path) => {
    const found = word.split('!').flatMap((part) => packageNamed(part, names)?.packageName ?? []);
    return found.filter((packageName) => imported.get(path)?.has(packageName) !== true);
  };
}
