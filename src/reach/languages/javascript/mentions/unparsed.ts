import type { Manifest } from '../manifests.js';
import { packageOf } from '../resolve/specifier.js';
import { readWord } from './package-names.js';

/**
 * Tells the locked packages that a quoted word may name: `a`, `a/sub`, `../node_modules/a/x`, an alias of a manifest, the
 * loaders of `style-loader!css-loader!./x`.
 *
 * @param imported by file, packages that patterns found to be imported there: a mention adds nothing
 */
export function quotedPackages(
  locked: ReadonlySet<string>,
  manifests: ReadonlyMap<string, Manifest>,
  imported: ReadonlyMap<string, ReadonlySet<string>>,
): (word: string, path: string) => readonly string[] {
  const names = new Map<string, string>();
  for (const name of locked) names.set(name, name);
  for (const { declared } of manifests.values()) {
    for (const [name, range] of declared) {
      const real = range.startsWith('npm:') ? packageOf(range)?.name : undefined;
      if (real !== undefined && locked.has(real)) names.set(name, real);
    }
  }
  return (word, path) => {
    const found = word.split('!').flatMap((part) => readWord(part, names)?.packageName ?? []);
    return found.filter((packageName) => imported.get(path)?.has(packageName) !== true);
  };
}
