import { folderOf, joinPath } from '../../tree-path.js';
import { isTestName, roleOf } from '../roles.js';
import type { LoadedByName } from './loaded-by-name.js';
import type { TreeFiles } from './tree-files.js';

/** The file that loads others by name, and where its tree is. */
interface Loader {
  readonly from: string;
  /** Of the nearest manifest: a program is mostly started there, or at the tree's root. */
  readonly packageFolder: string;
  readonly files: TreeFiles;
}

/** The files of the tree that these paths mean. Tests in a folder that is loaded are not: a test that is named by itself is. */
export function filesLoaded(loads: readonly LoadedByName[], loader: Loader): readonly string[] {
  const own = folderOf(loader.from);
  const found = loads.flatMap((load) => {
    const bases = load.ofFile ? [own] : basesOf(load.pattern, own, loader.packageFolder);
    return bases.flatMap((base) => filesIn(base, load, loader));
  });
  return [...new Set(found)];
}

function filesIn(
  base: string,
  { pattern, ofFile, depth, folders }: LoadedByName,
  { from, packageFolder, files }: Loader,
): readonly string[] {
  const target = pattern.startsWith('/') && !ofFile ? `.${pattern}` : pattern;
  if (target.includes('*')) {
    // An unknown name in a path is one that the program lists or is given.
    return folders || target.includes('/') ? files.matching(base, target).filter(isLoadable) : [];
  }
  const named = files.sources(base, target).filter((file) => file !== from && (ofFile || roleOf(file) !== 'config'));
  const folder = joinPath(base, target);
  if (!folders || folder === null || !files.hasFolder(folder)) return named;
  // A program that lists the folder of its package or the tree does not load all that is below.
  const isRoot = folder === '' || folder === packageFolder;
  return [...named, ...files.within(folder, isRoot ? 'children' : depth).filter(isLoadable)];
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
