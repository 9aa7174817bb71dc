import { usageReportLimits } from '../../procedures/usage-report.js';
import { printPurl } from '../../shared/packages/purl.js';
import type { LoadedFrom, PackageSite } from '../languages/language-reader.js';
import { reportPath } from './found-gap.js';
import type { ChainLink } from './loading.js';
import type { WireDependency } from './site-evidence.js';

/** Steps of one way; only files that load each other in a ring, which readers never give, would have more. */
const maxDepth = 100_000;

export type ReachedFiles = ReadonlyMap<string, LoadedFrom | null>;

/** Finds the shortest chain of files from an entry point to a site of a package; null where no site is reached. */
export function chainFinder(reached: ReachedFiles): (sites: readonly PackageSite[]) => readonly ChainLink[] | null {
  const depths = new Map<string, number>();
  const depthOf = (file: string): number => {
    const way: string[] = [];
    let at: string | undefined = file;
    let depth: number | undefined;
    while (at !== undefined && way.length < maxDepth) {
      depth = depths.get(at);
      if (depth !== undefined) break;
      way.push(at);
      at = reached.get(at)?.file;
    }
    depth ??= -1;
    for (const each of way.reverse()) depths.set(each, ++depth);
    return depths.get(file) ?? maxDepth;
  };
  return (sites) => {
    let best: PackageSite | null = null;
    for (const site of sites) {
      if (!site.reached || site.typeOnly || site.mock || !reached.has(site.file)) continue;
      if (best === null || weigh(site, best, depthOf) < 0) best = site;
    }
    return best === null ? null : chainTo(best, reached);
  };
}

/** An import says more than a mention; then the shorter way, then the first place. */
function weigh(a: PackageSite, b: PackageSite, depthOf: (file: string) => number): number {
  return (
    Number(a.kind === 'mention') - Number(b.kind === 'mention') ||
    depthOf(a.file) - depthOf(b.file) ||
    (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1)
  );
}

function chainTo({ file, line }: PackageSite, reached: ReachedFiles): ChainLink[] {
  const way = wayTo(reached, { file, line }).map((each): ChainLink => ({ package: null, ...each }));
  return way.reverse();
}

/** A place, then each that loads the file of the one before it, up to an entry point. */
export function wayTo(reached: ReachedFiles, place: LoadedFrom): readonly LoadedFrom[] {
  const way = new Map([[place.file, place]]);
  let from = reached.get(place.file);
  for (; from && !way.has(from.file); from = reached.get(from.file)) way.set(from.file, from);
  return [...way.values()];
}

/** A chain as a report lists it. Of one that is too long, the middle is left out. */
export function toWireChain(chain: readonly ChainLink[]): NonNullable<WireDependency['chain']> {
  const half = usageReportLimits.chain / 2;
  const kept = chain.length <= usageReportLimits.chain ? chain : [...chain.slice(0, half), ...chain.slice(-half)];
  return kept.map((link) => ({
    purl: link.package === null ? null : printPurl(link.package),
    file: reportPath(link.file),
    line: link.line !== null && link.line >= 1 ? link.line : null,
  }));
}
