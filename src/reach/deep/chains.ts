import type { ChainLink } from '../analysis/loading.js';
import type { LoadedFrom } from '../languages/language-reader.js';
import type { LoadedModule, Start, UnreadPackage } from './loaded-modules.js';

type ReachedFiles = ReadonlyMap<string, LoadedFrom | null>;

/** Links that a report can hold. */
const maxLinks = 32;

/** How many files an entry point takes to a file of the tree. */
export function depthOf(reached: ReachedFiles, file: string): number {
  return wayTo(reached, file).length;
}

/** The way from an entry point to a file of a package, or to a package that cannot be read. */
export function chainTo(target: LoadedModule | UnreadPackage, reached: ReachedFiles): readonly ChainLink[] {
  const links: ChainLink[] = [];
  let line: number | null = null;
  for (let at: LoadedModule | UnreadPackage | Start = target; ; ) {
    if ('name' in at) {
      const [{ file } = { file: at.file }, ...above] = wayTo(reached, at.file);
      links.push({ package: null, file, line: at.line });
      for (const each of above) links.push({ package: null, file: each.file, line: each.line });
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

/** The file, then each that loads the one before it, up to an entry point. */
function wayTo(reached: ReachedFiles, file: string): readonly LoadedFrom[] {
  const way: LoadedFrom[] = [{ file, line: 1 }];
  const seen = new Set([file]);
  for (let from = reached.get(file); from !== undefined && from !== null; from = reached.get(from.file)) {
    if (seen.has(from.file)) break;
    seen.add(from.file);
    way.push(from);
  }
  return way;
}

/** A long chain keeps the last file of each package; a chain that is still too long loses its middle. */
function shortened(links: readonly ChainLink[]): readonly ChainLink[] {
  if (links.length <= maxLinks) return links;
  const nameOf = (link: ChainLink | undefined) => link?.package?.name ?? null;
  const steps = links.filter((link, at) => link.package === null || nameOf(links[at + 1]) !== nameOf(link));
  return steps.length <= maxLinks ? steps : [...steps.slice(0, maxLinks / 2), ...steps.slice(-maxLinks / 2)];
}
