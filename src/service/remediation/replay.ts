import { isAffected } from '../matching/affected.js';
import type { PackagePlan, PlanPackage } from './plan-upgrades.js';

/**
 * The ids of a package's alerts that a sync of the upgraded stack leaves open. Does not look at what the plan says to close:
 * it makes the steps where the stack has the package, and matches every version again.
 */
export function replay({ alerts, advisories, places }: PlanPackage, { upgrade }: PackagePlan): string[] {
  const targets = new Map((upgrade?.steps ?? []).map(({ from, to }) => [from, to]));
  const installed = new Set([...places.map(({ version }) => version), ...alerts.flatMap(({ versions }) => versions)]);
  const after = [...new Set([...installed].map((version) => targets.get(version) ?? version))];
  return alerts
    .filter(({ ecosystem, advisory_ids }) => {
      const own = advisories.filter(({ id }) => advisory_ids.includes(id));
      return after.some((version) => own.some(({ affected }) => isAffected(ecosystem, version, affected)));
    })
    .map(({ id }) => id);
}
