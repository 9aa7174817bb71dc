import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { accepts } from '../matching/ranges.js';
import { compareVersions } from '../matching/versions/index.js';
import { type Graph, type Installed, neededBy, packageIn } from './graph.js';
import { peersOf, type Resolver, rangeOf } from './resolver.js';

/** An override replaces the versions from `start` (null: from the first) up to the target, or all. */
export interface Override {
  readonly start: string | null;
  readonly to: string;
  readonly all: boolean;
  /** Its key names who asks (`askers`), or the ranges that are asked for, and reaches nobody else. Null: whoever asks. */
  readonly only: { readonly by: 'name' | 'range'; readonly keys: ReadonlySet<string> } | null;
  /** The tool obeys it, and the version was published. */
  readonly certain: boolean;
}

/** A dependency that the project asks for in another version. */
export interface OwnChange {
  /** That may be installed then. */
  readonly versions: readonly string[];
  readonly certain: boolean;
}

/** All that a plan changes. */
export interface Moves {
  /** Packages that the tool is asked to renew: see `packageIn`. */
  readonly refreshed: ReadonlySet<string>;
  /** By the place of a direct dependency. */
  readonly own: ReadonlyMap<string, OwnChange>;
  /** By `packageIn`. */
  readonly overrides: ReadonlyMap<string, readonly Override[]>;
}

/** The versions of each package (`packageIn`) that may be installed afterwards, and whether one is certain to be. */
export type Outcome = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

interface Replayed {
  readonly outcome: Outcome;
  /** Packages (`packageIn`) that come in a version which no registry has said, or whose needs: they may bring anything. */
  readonly unlisted: ReadonlyMap<string, Unlisted>;
}

type Named = Pick<Installed, 'ecosystem' | 'package_name' | 'name'>;

export interface Unlisted extends Named {
  /** A registry has named it, so its name is public. */
  readonly isNamed: boolean;
}

/** One version that a tool installs. */
interface Instance {
  readonly source: string;
  readonly of: Named;
  readonly version: string;
  readonly certain: boolean;
}

/** A dependency that a package or the project asks for. */
interface Wish {
  readonly source: string;
  readonly of: Named;
  readonly range: string | null;
  /** The name of what asks; null: the project. */
  readonly by: string | null;
  /** The version in the lock file that answers it; null where somebody new asks. */
  readonly locked: string | null;
}

/**
 * Answers what is installed after the moves. It begins at the project's own dependencies and follows what each version asks for: the lock
 * file's edges of versions that it has, and the registry's of others. A tool keeps a locked version that it is not asked to renew.
 * If the needs of a new version are not known, the dependencies of its predecessors may stay.
 */
export async function replay(graph: Graph, resolver: Resolver, moves: Moves): Promise<Replayed> {
  const pause = yieldToEventLoop();
  const outcome = new Map<string, Map<string, boolean>>();
  const unlisted = new Map<string, Unlisted>();
  const waiting: Instance[] = [];
  const install = (instance: Instance) => {
    const key = packageIn(instance.source, instance.of);
    const versions = outcome.get(key) ?? new Map<string, boolean>();
    outcome.set(key, versions);
    const known = versions.get(instance.version);
    if (known === true || known === instance.certain) return;
    versions.set(instance.version, instance.certain);
    waiting.push(instance);
  };
  const answer = (wish: Wish, certain: boolean) => {
    const { source, of } = wish;
    const answers = answersTo(wish, graph, resolver, moves);
    if (answers.length === 0) unlisted.set(packageIn(source, of), { ...of, isNamed: true });
    for (const each of answers) {
      install({ source, of, version: each.version, certain: certain && each.certain });
    }
  };
  for (const root of graph.roots) {
    const { place, source, version } = root;
    const change = moves.own.get(place);
    const ranges = root.asked_by?.map(({ range }) => range) ?? [];
    if (change !== undefined) {
      const certain = change.certain && change.versions.length === 1;
      for (const each of change.versions) install({ source, of: root, version: each, certain });
      if (!change.certain) install({ source, of: root, version, certain: false });
    } else
      for (const range of ranges.length > 0 ? ranges : [null])
        answer({ source, of: root, range, by: null, locked: version }, true);
  }
  for (const orphan of graph.orphans) {
    answer({ source: orphan.source, of: orphan, range: null, by: null, locked: orphan.version }, false);
  }
  for (const instance of waiting) {
    await pause();
    const { source, of, version } = instance;
    const before = graph.versions.get(packageIn(source, of)) ?? [];
    const node = before.find((each) => each.version === version);
    const needs = node === undefined ? (resolver.release(of, version)?.dependencies ?? null) : null;
    for (const [name, ranges] of Object.entries(needs ?? {})) {
      const needed = { ecosystem: of.ecosystem, package_name: name, name };
      for (const range of ranges.split('\n')) {
        answer({ source, of: needed, range, by: of.name, locked: null }, instance.certain);
      }
    }
    if (needs !== null) {
      // Which peers a new version has is not known: those of its predecessors may stay, unless the project asks for them.
      for (const peer of before.flatMap((holder) => peersOf(graph, resolver, holder))) {
        if (peer.direct === true) continue;
        answer({ source, of: peer, range: null, by: of.name, locked: peer.version }, false);
      }
      continue;
    }
    if (node === undefined) unlisted.set(packageIn(source, of), { ...of, isNamed: before.length === 0 });
    const isSure = node !== undefined && instance.certain;
    for (const holder of node === undefined ? before : [node]) {
      for (const child of neededBy(holder, graph)) {
        const range = rangeOf(resolver, holder, child);
        answer({ source, of: child, range, by: of.name, locked: child.version }, isSure);
      }
      // No resolver reaches into an archive.
      for (const child of graph.carried.get(holder.place) ?? []) {
        install({ source, of: child, version: child.version, certain: isSure });
      }
    }
  }
  for (const node of graph.nodes.values()) {
    if (node.bundledIn?.length !== 0) continue;
    install({ source: node.source, of: node, version: node.version, certain: false });
  }
  return { outcome, unlisted };
}

interface Possible {
  readonly version: string;
  readonly certain: boolean;
}

/** The versions that may answer somebody's wish. */
function answersTo(
  { source, of, range, by, locked }: Wish,
  graph: Graph,
  resolver: Resolver,
  { refreshed, overrides }: Moves,
): Possible[] {
  const key = packageIn(source, of);
  const isRenewed = refreshed.has(key);
  const choice = locked === null || isRenewed ? resolver.choose(of, range) : null;
  const found = new Set(choice?.versions);
  if (locked !== null && choice?.certain !== true) found.add(locked);
  if (locked === null && !isRenewed) {
    // A tool may take what is there already, and does where the project overrides what is asked for.
    for (const { version, overridden_by } of graph.versions.get(key) ?? []) {
      const isTaken = range !== null && accepts(of.ecosystem, range, version) === true;
      if (isTaken || overridden_by !== undefined) found.add(version);
    }
  }
  const isSure = found.size === 1 && (locked === null || isRenewed ? choice?.certain === true : true);
  return [...found].flatMap((version) => {
    const override = overrides.get(key)?.find((each) => reaches(of, each, version) && isAsked(each, by, range));
    if (override === undefined) return [{ version, certain: isSure }];
    const there = { version: override.to, certain: override.certain };
    return override.certain ? [there] : [there, { version, certain: false }];
  });
}

export function reaches(
  { ecosystem }: Pick<Named, 'ecosystem'>,
  { start, to, all }: Override,
  version: string,
): boolean {
  if (all) return true;
  const isBelow = (compareVersions(ecosystem, version, to) ?? 0) < 0;
  return isBelow && (start === null || (compareVersions(ecosystem, version, start) ?? -1) >= 0);
}

function isAsked({ only }: Override, by: string | null, range: string | null): boolean {
  const key = only?.by === 'name' ? by : range;
  return only === null || (key !== null && only.keys.has(key));
}
