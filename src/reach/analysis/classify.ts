import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Confidence, ReportedUsage } from '../../shared/vulnerability-terms.js';
import type { PackageSite } from '../languages/language-reader.js';
import type { Scope } from '../lockfiles/package-list.js';
import type { FoundGap } from './found-gap.js';
import { type SiteUsage, usageBySites } from './site-usage.js';
import type { Spread } from './spread.js';

/** A package at one version: its entries in the lock files, and the sites that name it. */
export interface Dependency {
  /** Indexes in the graph's `nodes`. */
  readonly nodes: readonly number[];
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly scope: Scope;
  readonly sites: readonly PackageSite[];
}

/** All that is known of the entries besides their sites. */
export interface Evidence {
  readonly spread: Spread;
  /** Entries that a run, or the source of installed packages, shows to be loaded. */
  readonly loaded: ReadonlySet<number>;
  /** Ecosystems whose installed packages were followed from every entry point. */
  readonly followed: ReadonlySet<Ecosystem>;
  readonly gapsHiding: (node: number) => readonly FoundGap[];
  /** The gap of an entry that no source was searched for. */
  readonly unsearched: (node: number) => FoundGap | null;
  /** The gap of an entry of a lock file without edges. */
  readonly unknownEdges: (node: number) => FoundGap | null;
}

export interface Judged {
  readonly usage: ReportedUsage;
  readonly confidence: Confidence;
  /** What could hide a use, or more use than `usage` says. */
  readonly gaps: readonly FoundGap[];
}

const bySite: Readonly<Record<SiteUsage, Confidence>> = {
  reached: 'high',
  imported: 'high',
  mentioned: 'low',
  type_only: 'medium',
  // What a file is for is judged by its name.
  tooling: 'medium',
};

/**
 * How a dependency is used: the highest that any evidence gives, in the order below, so that more evidence never lowers it.
 * - `reached`, `imported`: production code imports it.
 * - `loaded`: a run, or the source of installed packages, shows that it is loaded.
 * - `transitive`, certain: something in production brings it in, whatever its scope is.
 * - `mentioned`: production code or configuration names it, or it is a peer or plugin of what production uses or may use.
 * - `transitive`, not excluded: something that production may use brings it in, or a lock file does not say what does.
 * - `not_loaded`: as the two `transitive`, where the installed packages were followed and no gap hides it.
 * - `not_analyzed`: no source was read that could use it.
 * - `type_only`, `tooling`: types alone are imported, or only tests, tools and development lead to it.
 * - `unused`.
 */
export function classify(dependency: Dependency, evidence: Evidence): Judged {
  const { nodes, ecosystem, sites } = dependency;
  const { spread, loaded, followed, gapsHiding, unsearched, unknownEdges } = evidence;
  const isIn = (set: ReadonlySet<number>) => nodes.some((node) => set.has(node));
  const certain = (usage: ReportedUsage): Judged => ({ usage, confidence: 'high', gaps: [] });
  const shown = usageBySites(sites, dependency);
  if (shown === 'reached' || shown === 'imported') return certain(shown);
  if (isIn(loaded)) return certain('loaded');
  const gaps = [...new Set(nodes.flatMap(gapsHiding))];
  const isFollowed = followed.has(ecosystem) && gaps.length === 0 && !isIn(spread.unfollowed);
  if (isIn(spread.broughtIn) && !isFollowed) return certain('transitive');
  if (shown === 'mentioned' || isIn(spread.named)) return { usage: 'mentioned', confidence: 'low', gaps: [] };
  if (isIn(spread.maybeBroughtIn)) return { usage: 'transitive', confidence: 'low', gaps: [] };
  if (isIn(spread.guessed) && !isFollowed) {
    const unknown = nodes.flatMap((node) => unknownEdges(node) ?? []);
    return { usage: 'transitive', confidence: 'low', gaps: [...new Set([...unknown, ...gaps])] };
  }
  if (isIn(spread.broughtIn) || isIn(spread.guessed)) return certain('not_loaded');
  const unread = [...new Set(nodes.flatMap((node) => unsearched(node) ?? []))];
  if (unread.length > 0) return { usage: 'not_analyzed', confidence: 'low', gaps: [...unread, ...gaps] };
  const usage = shown ?? (isIn(spread.tooling) ? 'tooling' : 'unused');
  const confidence = gaps.length > 0 ? 'low' : shown === null ? 'high' : bySite[shown];
  return { usage, confidence, gaps };
}
