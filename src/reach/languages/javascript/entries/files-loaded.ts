import { folderOf, joinPath } from '../../tree-path.js';
import { isTestName, roleOf } from '../roles.js';
import type { LoadedByName } from './loaded-by-name.js';
import type { TreeFiles } from './tree-files.js';

/**
 * The files of the tree that these paths mean. Tests in a folder that is loaded are not: a test that is named by itself is.
 *
 * @param packageFolder of the nearest manifest: a program is mostly started there, or at the tree's root
 */
export function filesLoaded(
  loads: readonly LoadedByName[],
  from: string,
  packageFolder: string,
  files: TreeFiles,
): readonly string[] {
  const own = folderOf(from);
  const found = new Set<string>();
  for (const { pattern, ofFile, depth, folders } of loads) {
    const bases = ofFile ? [own] : basesOf(pattern, own, packageFolder);
    for (const base of bases) {
      const target = pattern.startsWith('/') && !ofFile ? `.${pattern}` : pattern;
      if (target.includes('*')) {
        // An unknown name in a path is one that the program lists or is given.
        if (folders || target.includes('/'))
          for (const file of files.matching(base, target)) if (isLoadable(file)) found.add(file);
        continue;
      }
      for (const file of files.sources(base, target))
        if (file !== from && (ofFile || roleOf(file) !== 'config')) found.add(file);
      const folder = joinPath(base, target);
      if (!folders || folder === null || !files.hasFolder(folder)) continue;
      // A program that lists the folder of its package or the tree does not load all that is below.
      const isRoot = folder === '' || folder === packageFolder;
      for (const file of files.within(folder, isRoot ? 'children' : depth)) if (isLoadable(file)) found.add(file);
    }
  }
  return [...found];
}

/** Where a path begins that is not relative to its file. One that begins with a slash may be that of a server. */
function basesOf(pattern: string, own: string, packageFolder: string): readonly string[] {
  const bases = [...new Set([own, packageFolder, ''])];
  if (!pattern.startsWith('/')) return bases;
  return bases.flatMap((base) => ['', 'public', 'static', 'src'].flatMap((folder) => joinPath(base, folder) ?? []));
}

function isLoadable(file: string): boolean {
  const role = roleOf(file);
  return (
    role === 'prod' || role === 'script' || (role === 'test' && !isTestName(file) && !/(?:^|\/)tests?\//.test(file))
  );
}
