import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { packageKey } from '../../shared/packages/package-key.js';
import type { Releases } from './releases.js';
import type { NamedKey } from './version-lists.js';

/** A package with a version that a project has, if it has one. */
interface Begin extends NamedKey {
  readonly version?: string | undefined;
}

/**
 * Packages that newer releases need and the project does not have: an upgrade would bring them in. The newest release counts, and the newest
 * of the major version that the project has. Their names are public, because a registry has named them.
 *
 * @param load answers what registries have listed
 * @param known keys of the packages that the project has
 * @param limit names in all
 */
export async function neededNames(
  load: (packages: readonly NamedKey[]) => Promise<ReadonlyMap<string, Releases>>,
  begin: readonly Begin[],
  known: ReadonlySet<string>,
  limit: number,
): Promise<readonly NamedKey[]> {
  const pause = yieldToEventLoop();
  const found = new Map<string, NamedKey>();
  for (let level = begin; level.length > 0; ) {
    const listed = await load(level);
    const next: NamedKey[] = [];
    for (const each of level) {
      await pause();
      for (const package_name of needsOfNewest(listed.get(packageKey(each)), each.version)) {
        const needed = { ecosystem: each.ecosystem, package_name, name: package_name };
        const key = packageKey(needed);
        if (known.has(key) || found.has(key) || found.size >= limit) continue;
        found.set(key, needed);
        next.push(needed);
      }
    }
    level = next;
  }
  return [...found.values()];
}

function needsOfNewest(releases: Releases | undefined, version: string | undefined): readonly string[] {
  if (releases === undefined) return [];
  const major = version?.split('.', 1)[0];
  const ofMajor = releases.versions.find((each) => each.split('.', 1)[0] === major);
  const newest = [releases.latest ?? releases.versions[0], ofMajor].flatMap((each) => each ?? []);
  return newest.flatMap((each) => Object.keys(releases.release(each)?.dependencies ?? {}));
}
