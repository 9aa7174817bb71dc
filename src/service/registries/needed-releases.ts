import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { packageKey } from '../../shared/packages/package-name.js';
import type { Releases } from './releases.js';
import type { NamedKey } from './version-lists.js';

/** Answers what registries have listed of the packages, by `packageKey`. */
export type LoadReleases = (packages: readonly NamedKey[]) => Promise<ReadonlyMap<string, Releases>>;

/**
 * Packages, and what the newest release of each needs, to the end. Their names are public if the first ones are, because a registry has
 * named them.
 *
 * @param limit names in all
 */
export async function neededReleases(load: LoadReleases, begin: readonly NamedKey[], limit: number) {
  const pause = yieldToEventLoop();
  const names = new Map<string, NamedKey>();
  const listed = new Map<string, Releases>();
  for (let level = begin; level.length > 0; ) {
    const others = new Map(level.map((each) => [packageKey(each), each]));
    const fresh = [...others.values()].filter((each) => !names.has(packageKey(each))).slice(0, limit - names.size);
    for (const each of fresh) names.set(packageKey(each), each);
    const found = fresh.length === 0 ? new Map<string, Releases>() : await load(fresh);
    const next: NamedKey[] = [];
    for (const each of fresh) {
      await pause();
      const releases = found.get(packageKey(each));
      if (releases === undefined) continue;
      listed.set(packageKey(each), releases);
      const newest = releases.latest ?? releases.versions[0];
      const needs = newest === undefined ? null : releases.release(newest)?.dependencies;
      for (const name of Object.keys(needs ?? {})) next.push({ ecosystem: each.ecosystem, package_name: name, name });
    }
    level = next;
  }
  return { names: [...names.values()], listed };
}
