import type { WireReport } from '../analysis/site-evidence.js';

export type SearchedEcosystem = NonNullable<WireReport['ecosystems']>[number];

/** The ecosystems of which a report has packages. */
export function searchedEcosystems({ ecosystems = [] }: WireReport): SearchedEcosystem[] {
  return ecosystems.filter(({ packages }) => packages > 0);
}

/** No source of any package's language was read, so nothing can be said of how packages are used. */
export function hasReadNothing(report: WireReport): boolean {
  const searched = searchedEcosystems(report);
  return searched.length === 0 ? report.stats.files === 0 : searched.every(({ files }) => files === 0);
}
