import { groupBy } from '../lockfiles/group-by.js';
import type { LockedPackage, Scope } from '../lockfiles/package-list.js';
import { closestToProduction } from '../lockfiles/scopes.js';

/** A package as one sync sends it: each name and version once, however often the tree has it. */
export interface SyncedPackage {
  readonly ecosystem: LockedPackage['ecosystem'];
  readonly name: string;
  readonly version: string;
  readonly scope: Scope;
  readonly direct?: boolean;
  readonly deprecated?: string;
}

/** Characters of a deprecation text that the service takes. */
const longestDeprecation = 2000;

/** The distinct packages: of several copies the scope closest to production, and direct when one copy is. */
export function syncedPackages(packages: readonly LockedPackage[]): SyncedPackage[] {
  const copies = groupBy(packages, ({ ecosystem, name, version }) => `${ecosystem} ${name} ${version}`);
  return [...copies.values()].map((same) => {
    const { ecosystem, name, version } = same[0];
    const direct = same.some((copy) => copy.direct) || same.find((copy) => copy.direct !== null)?.direct;
    const deprecated = same.find((copy) => copy.deprecated !== null)?.deprecated;
    return {
      ecosystem,
      name,
      version,
      scope: closestToProduction(same.map(({ scope }) => scope)),
      ...(typeof direct === 'boolean' ? { direct } : {}),
      ...(typeof deprecated === 'string' ? { deprecated: deprecated.slice(0, longestDeprecation) } : {}),
    };
  });
}
