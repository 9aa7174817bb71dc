import { type ReachedFiles, wayTo } from '../analysis/chains.js';
import type { ChainLink } from '../analysis/loading.js';
import type { LoadedModule, Start, UnreadPackage } from './loaded-modules.js';

/** Links that a report can hold. */
const maxLinks = 32;

/** How many files an entry point takes to a file of the tree. */
export function depthOf(reached: ReachedFiles, file: string): number {
  return wayTo(reached, { file, line: 1 }).length;
}

/** The way from an entry point to a file of a package, or to a package that cannot be read. */
export function chainTo(target: LoadedModule | UnreadPackage, reached: ReachedFiles): readonly ChainLink[] {
  const links: ChainLink[] = [];
  let line: number | null = null;
  for (let at: LoadedModule | UnreadPackage | Start = target; ; ) {
    if ('name' in at) {
      const [, ...above] = wayTo(reached, { file: at.file, line: 1 });
      links.push({ package: null, file: at.file, line: at.line });
      for (const each of above) links.push({ package: null, ...each });
      break;
    }
    const { name, version } = 'store' in at ? at.store.manifest : at.node.locked;
    const file = 'store' in at ? at.path : 'package.json';
    links.push({ package: { ecosystem: 'npm', name, version }, file, line });
    line = at.line;
    at = at.from;
  }
  return shortened(links.reverse());
}

/** A long chain keeps the last file of each package; a chain that is still too long loses its middle. */
function shortened(links: readonly ChainLink[]): readonly ChainLink[] {
  if (links.length <= maxLinks) return links;
  const nameOf = (link: ChainLink | undefined) => link?.package?.name ?? null;
  const steps = links.filter((link, at) => link.package === null || nameOf(links[at + 1]) !== nameOf(link));
  return steps.length <= maxLinks ? steps : [...steps.slice(0, maxLinks / 2), ...steps.slice(-maxLinks / 2)];
}
