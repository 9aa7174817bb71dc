import { maxAskers, maxBundlers } from '../../procedures/tech-stack.js';
import { line } from '../../procedures/wire.js';
import { groupBy } from '../lockfiles/group-by.js';
import type { LockedPackage } from '../lockfiles/package-list.js';
import { closestToProduction } from '../lockfiles/scopes.js';
import type { SyncInput } from '../remote/remote-service.js';

/** A package as a sync sends it: each name and version once, however many copies are installed. */
type SyncedPackage = SyncInput['packages'][number];

/** A path or a range as the service accepts it. */
const sentLine = line(200);

/** Characters; the service accepts no longer text. */
const maxDeprecationLength = 2000;

/**
 * The distinct packages. Of several copies the scope closest to production counts; one direct copy makes them direct; what
 * any of them depends on counts.
 */
export function syncedPackages(packages: readonly LockedPackage[]): SyncedPackage[] {
  const copies = groupBy(packages, ({ ecosystem, name, version }) => `${ecosystem} ${name} ${version}`);
  const groups = [...copies.values()];
  const placeOf = new Map(groups.flatMap((same, place) => same.map(({ key }) => [key, place] as const)));
  return groups.map((same, place) => {
    const { ecosystem, name, version } = same[0];
    const direct = same.some((copy) => copy.direct) || same.find((copy) => copy.direct !== null)?.direct;
    const deprecated = same.find((copy) => copy.deprecated !== null)?.deprecated;
    return {
      ecosystem,
      name,
      version,
      scope: closestToProduction(same.map(({ scope }) => scope)),
      ...(typeof direct === 'boolean' ? { direct } : {}),
      ...(typeof deprecated === 'string' ? { deprecated: deprecated.slice(0, maxDeprecationLength) } : {}),
      ...askersOf(same),
      ...bundlesOf(same, placeOf),
      ...graphOf(same, place, placeOf),
    };
  });
}

/** What carries any of the copies in its archive; no list where none is carried so. */
function bundlesOf(same: readonly LockedPackage[], placeOf: ReadonlyMap<string, number>) {
  const carried = same.flatMap(({ bundledIn }) => (bundledIn === undefined ? [] : [bundledIn]));
  if (carried.length === 0) return {};
  return {
    bundled_in: [...new Set(carried.flatMap((key) => (key === null ? [] : (placeOf.get(key) ?? []))))].slice(
      0,
      maxBundlers,
    ),
  };
}

/** The overrides of the copies, and the manifests that ask for one, each once. What the service does not accept is left out. */
function askersOf(same: readonly LockedPackage[]) {
  const askers = new Map(same.flatMap(({ asked = [] }) => asked.map((each) => [each.file, each] as const)));
  const [{ overriddenBy = [] } = {}] = same;
  const sentRange = (range: string | null) => (range !== null && isSent(range) ? range : null);
  const overrides = overriddenBy.flatMap(({ file, key, fields, value }) => {
    const override = `${fields.join('.')}: "${key}"`;
    return isSent(override) ? [{ file, range: sentRange(value), override }] : [];
  });
  const asking = [...askers.values()].flatMap(({ file, range }) =>
    isSent(file) ? [{ file, range: sentRange(range) }] : [],
  );
  const sent = [...overrides, ...asking];
  return sent.length === 0 ? {} : { asked_by: sent.slice(0, maxAskers) };
}

/** What the copies depend on, and what they ask of it. Copies of one version have one manifest, so the first that says a range counts. */
function graphOf(same: readonly LockedPackage[], place: number, placeOf: ReadonlyMap<string, number>) {
  if (same.every(({ graph }) => graph === undefined)) return {};
  const asked = new Map<number, string>();
  for (const { dependencies, ranges } of same) {
    for (const key of dependencies) {
      const needed = placeOf.get(key);
      const range = ranges?.get(key) ?? '';
      if (needed !== undefined && needed !== place) asked.set(needed, asked.get(needed) || range);
    }
  }
  const ranges = [...asked.values()].map((range) => (isSent(range) ? range : ''));
  return {
    dependencies: [...asked.keys()],
    ...(ranges.some((range) => range !== '') && { ranges }),
    ...(same.some(({ graph }) => graph !== 'complete') && { incomplete: true }),
  };
}

/** Half a surrogate pair, which no lock file needs, would make the service refuse the whole sync. */
function isSent(text: string): boolean {
  return sentLine.safeParse(text).success && !/\p{Cs}/u.test(text);
}
