import { type Graph, type Installed, packageIn } from './graph.js';
import type { Reach } from './reach.js';
import { type Resolver, rangeOf } from './resolver.js';

type IsGood = (version: string) => boolean;

/** A direct dependency that has to come to a version which brings what is wanted. */
export interface Lift {
  readonly node: Installed;
  readonly isGood: IsGood;
}

/** How an installed version goes without an override. */
export interface Way {
  /** Packages that come to a newer version inside the ranges of those who ask for them: see `packageIn`. */
  readonly refreshed: ReadonlyMap<string, Installed>;
  /** Direct dependencies that the project has to ask for in another version. */
  readonly lifts: readonly Lift[];
}

/** Ranges that one search looks at, at most. Known projects need some hundreds. */
const maxQuestions = 5_000;

/**
 * How an installed version goes, so that all who ask for it get a good one instead: inside their ranges where these allow it, else by
 * newer versions of those who ask, up to the project's own dependencies. Null where no such way is known; then only an override does it.
 */
export function wayWithoutOverride(
  graph: Graph,
  resolver: Resolver,
  reach: Reach,
  start: Installed,
  isGood: IsGood,
): Way | null {
  const refreshed = new Map<string, Installed>();
  const lifts: Lift[] = [];
  let questions = 0;

  const takes = (node: Installed, range: string | null, isWanted: IsGood): boolean => {
    questions += 1;
    const choice = questions > maxQuestions ? null : resolver.choose(node, range);
    return choice?.versions.every(isWanted) === true;
  };
  /** True if a version of the dependent brings a good version of the node, or does not need it any more. */
  const brings = (dependent: Installed, version: string, node: Installed, isWanted: IsGood): boolean => {
    const needs = resolver.release(dependent, version)?.dependencies;
    if (!needs) return false;
    const range = needs[node.package_name];
    return range === undefined || range.split('\n').every((each) => takes(node, each, isWanted));
  };
  const refresh = (node: Installed) => refreshed.set(packageIn(node.source, node), node);

  const replace = (node: Installed, isWanted: IsGood, above: ReadonlySet<string>): boolean => {
    if (node.bundledIn !== null || graph.carried.has(node.place) || node.overridden_by !== undefined) return false;
    const dependents = graph.dependents.get(node.place) ?? [];
    const path = new Set([...above, node.place]);
    const isAsked = node.direct === true || dependents.length > 0;
    const isReplaced = dependents.every((dependent) => {
      // In a circle each is replaced with the other. What comes of it is seen when the plan is replayed.
      if (path.has(dependent.place)) return true;
      const isInside = reach.renews(node) && takes(node, rangeOf(resolver, dependent, node), isWanted);
      const isBrought = (version: string) => brings(dependent, version, node, isWanted);
      if (!isInside && !(reach.nests(node) && replace(dependent, isBrought, path))) return false;
      if (reach.renews(node)) refresh(node);
      return true;
    });
    if (!isReplaced || !isAsked) return false;
    if (node.direct !== true) return true;
    const ranges = node.asked_by?.map(({ range }) => range) ?? [];
    const isInside = reach.renews(node) && ranges.length > 0 && ranges.every((range) => takes(node, range, isWanted));
    if (isInside) refresh(node);
    else if (reach.nests(node)) lifts.push({ node, isGood: isWanted });
    return isInside || reach.nests(node);
  };

  return replace(start, isGood, new Set()) ? { refreshed, lifts } : null;
}
