import { inFolder } from '../languages/tree-path.js';
import { type WalkedTree, walkTree } from './tree.js';
import type { TreeLockfile } from './tree-lockfiles.js';

/** Packages that a project keeps in its own folders of modules; with more it is an installation that nothing marks. */
const maxOwn = 200;

/**
 * A project can keep its own packages in a `node_modules` that git tracks, where Node finds them by name. No lock file has
 * them. The tree is walked once more with those, since they are source.
 *
 * @returns the tree, and the packages that are not read because they are too many
 */
export async function withOwnModules(
  tree: WalkedTree,
  lockfiles: readonly TreeLockfile[],
): Promise<{ readonly tree: WalkedTree; readonly unread: readonly string[] }> {
  if (tree.keptModules.length === 0) return { tree, unread: [] };
  const locked = new Set(
    lockfiles.flatMap(({ packages }) => packages.flatMap(({ ecosystem, name }) => (ecosystem === 'npm' ? [name] : []))),
  );
  if (locked.size === 0) return { tree, unread: [] };
  // Under an alias, the folder has another name than the package; the key of npm's lock file is the folder.
  const keys = new Set(lockfiles.flatMap(({ folder, packages }) => packages.map(({ key }) => inFolder(folder, key))));
  const own = tree.keptModules.flatMap(({ name, path }) => (locked.has(name) || keys.has(path) ? [] : [path]));
  if (own.length === 0) return { tree, unread: [] };
  if (own.length > maxOwn) return { tree, unread: own };
  return { tree: await walkTree(tree.root, {}, own), unread: [] };
}
