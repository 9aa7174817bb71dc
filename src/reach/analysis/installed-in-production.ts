import type { DependencyGraph } from './dependency-graph.js';
import { holdsOnlyTypes, isDevelopmentTool } from './development-tools.js';
import type { TreeLockfile } from './tree-lockfiles.js';

/**
 * Whether production may have an entry of a lock file at hand when it asks for one by a name that is not seen: not where it is
 * declared for development, unless production is seen to use a package that is declared so. Then all of them are bundled, or
 * installed; but a tool of development is not asked for even there. Types are never.
 *
 * @param bundling lock files whose packages for development are used in production
 */
export function installedInProduction(
  { nodes }: DependencyGraph,
  bundling: ReadonlySet<TreeLockfile>,
): (node: number) => boolean {
  return (node) => {
    const { lockfile, locked } = nodes[node] ?? {};
    if (lockfile === undefined || locked === undefined || holdsOnlyTypes(locked)) return false;
    return locked.scope !== 'development' || (bundling.has(lockfile) && !isDevelopmentTool(locked));
  };
}
