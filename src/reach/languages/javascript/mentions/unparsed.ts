import { type Manifest, registryName } from '../project/manifests.js';
import { packageNamed } from './package-names.js';

/**
 * Finds the locked packages that a quoted word of an unparsed file may name: `a`, `a/sub`, `../node_modules/a/x`, an alias
 * of a manifest, or the loaders of `style-loader!css-loader!./x`.
 *
 * @param imported by file, the packages that its imports name; a mention adds nothing to these
 */
export function quotedPackages(
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
