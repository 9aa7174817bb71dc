import { posix } from 'node:path';
import type { PackageUse } from '../language-reader.js';
import { longestPrefix } from '../longest-prefix.js';
import { searchUnparsed } from '../search-unparsed.js';
import type { SourceTree } from '../source-tree.js';
import { loadedByConvention, type Mentions, mention } from '../with-mentions.js';
import { isAlwaysLoaded, loadedByComposer, readManifests } from './manifests.js';

/** Settings and templates that name classes: Symfony's services, Doctrine's mappings, Twig, Latte, Neon. */
const settings = /\.(?:ya?ml|xml|neon|twig|latte|tpl)(?:\.dist)?$/;
const notProduction =
  /(?:^|\/)(?:[Tt]ests?|\.github|\.gitlab|node_modules)\/|(?:^|\/)(?:phpunit|phpstan|psalm|phpcs|\.)[^/]*$/;

/** A class by its full name; in quoted text a backslash may be escaped. */
const className = /(?<![\w\\])\\{0,2}([A-Z]\w{0,100}(?:\\{1,2}[A-Za-z_]\w{0,100}){1,12})/g;

/** Packages that composer or a framework loads, and those whose classes settings and templates name. */
export async function findPhpMentions(tree: SourceTree, packageNames: readonly string[]): Promise<Mentions> {
  const { packagesByPrefix, projects } = readManifests(tree, packageNames);
  const meaning = (word: string) => {
    const prefix = longestPrefix(word.replaceAll('\\\\', '\\'), '\\', packagesByPrefix);
    return prefix === null ? [] : [...(packagesByPrefix.get(prefix) ?? [])];
  };
  const paths = tree.files.map(({ path }) => path).filter((path) => settings.test(path) && !notProduction.test(path));
  const { uses } = await searchUnparsed(tree, paths, {
    ecosystem: 'Packagist',
    words: className,
    meaning,
    roleIn: () => 'prod',
    reached: new Set(),
  });
  const requiredIn = new Map(projects.map(({ folder, requires }) => [folder, new Set(requires)]));
  return { uses: [...uses, ...loadedPackages(tree, new Set(packageNames), requiredIn)], gaps: [] };
}

/**
 * What the project itself requires and composer or a framework always loads is used. Other packages are loaded with what
 * brings them in, which the graph shows.
 */
function loadedPackages(
  tree: SourceTree,
  known: ReadonlySet<string>,
  requiredIn: ReadonlyMap<string, ReadonlySet<string>>,
): PackageUse[] {
  const locks = tree.files.map(({ path }) => path).filter((path) => /(?:^|\/)composer\.lock$/.test(path));
  return locks.flatMap((file) => {
    const text = tree.read(file);
    const lines = linesOfNames(text ?? '');
    const required = requiredIn.get(posix.dirname(file));
    return loadedByComposer(text)
      .filter(({ name }) => known.has(name))
      .map((loaded) => {
        const isCertain = isAlwaysLoaded(loaded) && required?.has(loaded.name) === true;
        const place = { file, line: lines.get(loaded.name) ?? 1, role: 'prod' } as const;
        return (isCertain ? loadedByConvention : mention)('Packagist', loaded.name, place);
      });
  });
}

/** The line of each package's entry. */
function linesOfNames(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const [index, line] of text.split('\n').entries()) {
    const name = /^ {12}"name": "([^"]+)"/.exec(line)?.[1];
    if (name !== undefined && !found.has(name)) found.set(name, index + 1);
  }
  return found;
}
