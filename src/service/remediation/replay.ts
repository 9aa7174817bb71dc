import { isAffected } from '../matching/affected.js';
import { identityOf } from '../tech-stack/stack-package.js';
import type { Place } from './edits.js';
import type { IsKept } from './kept-packages.js';
import type { PlanAlert, PlanPackage } from './plan-upgrades.js';
import type { PlannedStep } from './planned-step.js';

/** What a sync after the plan makes of an alert. `unknown`: a resolver decides, or a new version that no lock file has shown. */
export type Fate = 'closed' | 'left' | 'unknown';

interface Instance {
  readonly version: string;
  readonly certain: boolean;
}

/**
 * The fate of each alert of a package. Does not look at what the plan says to close: it makes the steps where the stack has the
 * package, and matches every version again.
 */
export function replay(
  { alerts, advisories, places }: PlanPackage,
  steps: readonly PlannedStep[],
  isKept: IsKept,
): ReadonlyMap<string, Fate> {
  const byVersion = new Map(steps.map((step) => [step.from, step]));
  const known = new Set(places.map(({ version }) => version));
  const unplaced = new Set(alerts.flatMap(({ versions }) => versions).filter((version) => !known.has(version)));
  const after = [
    ...places.flatMap((place) => instancesOf(place, byVersion.get(place.version), isKept)),
    ...[...unplaced].map((version) => ({ version: byVersion.get(version)?.to ?? version, certain: true })),
  ];
  const fateOf = ({ ecosystem, advisory_ids }: PlanAlert): Fate => {
    const own = advisories.filter(({ id }) => advisory_ids.includes(id));
    const open = after.filter(({ version }) => own.some(({ affected }) => isAffected(ecosystem, version, affected)));
    if (open.some(({ certain }) => certain)) return 'left';
    return open.length > 0 ? 'unknown' : 'closed';
  };
  return new Map(alerts.map((alert) => [alert.id, fateOf(alert)]));
}

/** What is there after the step: of copies in other packages' archives the old version. */
function instancesOf(place: Place, step: PlannedStep | undefined, isKept: IsKept): Instance[] {
  const { source, version, bundled_in: holders } = place;
  const instances: Instance[] = [];
  if (step === undefined) instances.push({ version, certain: isKept(source, identityOf(place)) });
  else {
    instances.push({ version: step.to, certain: step.certain });
    if (!step.certain) instances.push({ version, certain: false });
  }
  if (holders !== null) instances.push({ version, certain: isHeld(place, isKept) });
  return instances;
}

/** Whether a package that stays carries a copy in its archive, which no resolver replaces there. */
export function isHeld({ source, bundled_in: holders }: Place, isKept: IsKept): boolean {
  return holders?.some((holder) => isKept(source, holder)) ?? false;
}
