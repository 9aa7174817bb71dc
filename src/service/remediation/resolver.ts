import semver from 'semver';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { packageKey } from '../../shared/packages/package-name.js';
import { readRange } from '../matching/ranges.js';
import { compareVersions, isPrerelease, withOrdering } from '../matching/versions/index.js';
import type { Release, Releases } from '../registries/releases.js';
import { type Graph, type Installed, neededBy, type StackRow } from './graph.js';

type Named = Pick<StackRow, 'ecosystem' | 'package_name'>;

/** The versions that a tool may choose inside a range. */
interface Choice {
  /** At least one. Several where it depends on the tool or on the user's Node. */
  readonly versions: readonly string[];
  /** It is one of these: the registry has listed all versions, and the tool lets nobody else's range decide. */
  readonly certain: boolean;
}

/** The choices of package managers, as far as registries have answered. */
export interface Resolver {
  /** Null where nothing is known that the range takes. */
  choose(named: Named, range: string | null): Choice | null;
  /** The dependencies of a version; undefined if its registry has not said them. */
  release(named: Named, version: string): Release | undefined;
  /** The releases above a version, the lowest first, that a project may move to. Empty where the registry has not listed any. */
  above(named: Named, version: string): readonly string[];
  isListed(named: Named): boolean;
  /** More that registries have answered. */
  learn(more: ReadonlyMap<string, Releases>): void;
}

/** Versions of Node that a project may run on. npm prefers releases that its Node can run. */
const nodes = ['18.20.0', '20.19.0', '22.12.0', '24.0.0'];

/**
 * @param known what registries have answered, by `packageKey`
 * @param proposed versions that are proposed for a package whose registry was not asked: a range that takes one leads there or higher
 */
export function createResolver(
  known: ReadonlyMap<string, Releases>,
  proposed: ReadonlyMap<string, readonly string[]>,
): Resolver {
  const listed = new Map(known);
  const sorted = new Map<string, readonly string[]>();
  const choices = new Map<string, Choice | null>();

  /** The highest first. */
  const versionsOf = (named: Named): readonly string[] => {
    const key = packageKey(named);
    const known = sorted.get(key);
    if (known !== undefined) return known;
    const versions = highestFirst(named.ecosystem, listed.get(key)?.versions ?? []);
    sorted.set(key, versions);
    return versions;
  };

  const chooseListed = (named: Named, range: string, releases: Releases): Choice | null => {
    const isInside = readRange(named.ecosystem, range);
    const inside = isInside === null ? [] : versionsOf(named).filter((version) => isInside(version) === true);
    if (inside.length === 0) return null;
    const runs = (version: string, node: string | null) => {
      const engines = node === null ? null : (releases.release(version)?.node ?? null);
      return engines === null || node === null || semver.satisfies(node, engines, { loose: true });
    };
    const isDeprecated = (version: string) => releases.release(version)?.deprecated === true;
    const best = (node: string | null) => {
      const latest = inside.find((version) => version === releases.latest);
      if (latest !== undefined && runs(latest, node) && !isDeprecated(latest)) return latest;
      const running = inside.filter((version) => runs(version, node));
      const able = running.length > 0 ? running : inside;
      return able.find((version) => !isDeprecated(version)) ?? able[0] ?? '';
    };
    const certain = named.ecosystem === 'npm' || named.ecosystem === 'crates.io';
    // Some tools take the highest version, others the latest one where the range has it.
    const highest = inside.find((version) => !isDeprecated(version)) ?? inside[0] ?? '';
    return { versions: [...new Set([...[null, ...nodes].map(best), highest])], certain };
  };

  const chooseProposed = (named: Named, range: string): Choice | null => {
    const isInside = readRange(named.ecosystem, range);
    const inside = (proposed.get(packageKey(named)) ?? []).filter((version) => isInside?.(version) === true);
    return inside.length === 0 ? null : { versions: inside, certain: false };
  };

  return {
    choose(named, range) {
      if (range === null) return null;
      const key = `${packageKey(named)} ${range}`;
      const known = choices.get(key);
      if (known !== undefined) return known;
      const releases = listed.get(packageKey(named));
      const choice = releases === undefined ? chooseProposed(named, range) : chooseListed(named, range, releases);
      choices.set(key, choice);
      return choice;
    },
    release: (named, version) => listed.get(packageKey(named))?.release(version),
    above(named, version) {
      const releases = listed.get(packageKey(named));
      if (releases === undefined) return [];
      const { ecosystem } = named;
      const isPre = isPrerelease(ecosystem, version);
      return versionsOf(named)
        .filter(
          (each) =>
            (compareVersions(ecosystem, each, version) ?? 0) > 0 &&
            (isPre || !isPrerelease(ecosystem, each)) &&
            releases.release(each)?.deprecated !== true,
        )
        .toReversed();
    },
    isListed: (named) => listed.has(packageKey(named)),
    learn(more) {
      for (const [key, releases] of more) listed.set(key, releases);
      sorted.clear();
      choices.clear();
    },
  };
}

/** The range that a package asks of another, from its lock file, else from its registry; null if neither says it. */
export function rangeOf(resolver: Resolver, dependent: Installed, needed: Installed): string | null {
  const locked = dependent.needs.find(({ place }) => place === needed.place)?.range ?? null;
  const asked = resolver.release(dependent, dependent.version)?.dependencies?.[needed.package_name];
  // Which of several this version answers is not known.
  return locked ?? (asked?.includes('\n') === true ? null : (asked ?? null));
}

/**
 * The peers of a package: what it needs and the registry has no dependency for. None where the registry has not said its dependencies.
 */
export function peersOf(graph: Graph, resolver: Resolver, node: Installed): readonly Installed[] {
  const own = resolver.release(node, node.version)?.dependencies;
  return own ? neededBy(node, graph).filter(({ package_name }) => !Object.hasOwn(own, package_name)) : [];
}

/** Without what has no place in the order. */
function highestFirst(ecosystem: Ecosystem, versions: readonly string[]): string[] {
  return withOrdering(ecosystem, (ordering) =>
    versions
      .flatMap((text) => {
        const parsed = ordering.parse(text);
        return parsed === null ? [] : [{ text, parsed }];
      })
      .sort((a, b) => ordering.compare(b.parsed, a.parsed))
      .map(({ text }) => text),
  );
}
