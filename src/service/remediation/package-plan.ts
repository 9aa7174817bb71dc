import type { PackageAdvice } from '../alerts/package-advice.js';
import { isAffected } from '../matching/affected.js';
import { isComparable } from '../matching/versions/index.js';
import { identityOf } from '../tech-stack/stack-package.js';
import { reachOf } from './commands.js';
import type { Place } from './edits.js';
import { type Graph, placeOf } from './graph.js';
import type { PlanAlert, PlanPackage, Stay } from './plan-alerts.js';
import { type EditedStep, stepOf, targetsFor } from './planned-step.js';
import type { Resolver } from './resolver.js';
import type { Target } from './target.js';
import { type Way, wayWithoutOverride } from './ways.js';

/** What is known of the rest of the project while one package is planned. */
export interface Surroundings {
  /** Null where it is too large to be read. */
  readonly graph: Graph | null;
  readonly resolver: Resolver;
  /** Whether a place (`placeOf`) keeps its version. */
  isKept(place: string): boolean;
  /** Packages (`packageKey`) for which no other way than an override has held. */
  isForced(pkg: PlanPackage): boolean;
}

/** How one affected version of a package goes. */
export interface MovedVersion {
  readonly target: Target;
  /** Where it goes without an override. */
  readonly ways: readonly Way[];
  /** Its files to change elsewhere; null where there is nothing to change. */
  readonly step: EditedStep | null;
}

export interface PackagePlan {
  readonly moved: ReadonlyMap<string, MovedVersion>;
  /** Of each alert that a version keeps open. */
  readonly stays: ReadonlyMap<string, Stay>;
}

/** How each affected version of a package goes, and why those that stay do. */
export function planPackage(pkg: PlanPackage, around: Surroundings): PackagePlan {
  const moved = new Map<string, MovedVersion>();
  const bound = new Map<string, Pick<Stay, 'why' | 'to'>>();
  const targetIn = targetsFor(pkg);
  for (const version of new Set(pkg.alerts.flatMap(({ versions }) => versions))) {
    const target = targetIn(pkg.ecosystem, version);
    if (target.to === null) continue;
    const reason = boundBy(pkg.places, version, around);
    const move = reason === null ? moveOf(pkg, version, target, around) : null;
    if (move !== null) moved.set(version, move);
    else bound.set(version, { why: reason ?? 'newer_parent', to: reason === 'carries_others' ? target.to : null });
  }
  const stays = new Map<string, Stay>();
  for (const alert of pkg.alerts) {
    if (alert.versions.every((version) => closesAt(moved.get(version), alert))) continue;
    const [reason] = alert.versions.flatMap((version) => bound.get(version) ?? []);
    stays.set(alert.id, { alert, ...(reason ?? { why: whyNoTarget(alert, pkg.advice), to: null }) });
  }
  // A version whose alerts stay open anyway is left where it is.
  const useful = new Set(pkg.alerts.filter(({ id }) => !stays.has(id)).flatMap(({ versions }) => versions));
  for (const version of moved.keys()) if (!useful.has(version)) moved.delete(version);
  return { moved, stays };
}

function closesAt(move: MovedVersion | undefined, { advisory_ids }: PlanAlert): boolean {
  return move !== undefined && !advisory_ids.some((id) => move.target.remaining.has(id));
}

function boundBy(places: readonly Place[], from: string, { graph, isKept }: Surroundings): Stay['why'] | null {
  const there = places.filter(({ version }) => version === from);
  const isHeld = ({ source, bundled_in }: Place) => bundled_in?.some((holder) => isKept(placeOf(source, holder)));
  if (there.some((place) => isHeld(place) === true)) return 'bundled';
  const isCarrier = (place: Place) => graph?.carried.has(placeOf(place.source, identityOf(place))) === true;
  return there.some(isCarrier) ? 'carries_others' : null;
}

/** Null where one of its places cannot come to the target. */
function moveOf(pkg: PlanPackage, from: string, target: Target, around: Surroundings): MovedVersion | null {
  const { ecosystem, advisories, places } = pkg;
  const closable = advisories.filter(({ id }) => !target.remaining.has(id));
  const isGood = (version: string) => !closable.some(({ affected }) => isAffected(ecosystem, version, affected));
  const ways: Way[] = [];
  const edited: Place[] = [];
  const isForced = around.isForced(pkg);
  for (const place of places.filter(({ version }) => version === from)) {
    const reach = reachOf(place.source, place.tool);
    const node = around.graph?.nodes.get(placeOf(place.source, identityOf(place)));
    const isKnown = node !== undefined && around.graph !== null;
    const way = isKnown && !isForced ? wayWithoutOverride(around.graph, around.resolver, reach, node, isGood) : null;
    if (way !== null) ways.push(way);
    else if (isKnown && reach.nests && place.direct === true) {
      // The project's own wish and those of others are met apart.
      ways.push({ refreshed: new Map(), lifts: [{ node, isGood }] });
      if (place.needed) edited.push({ ...place, direct: false });
    } else edited.push(place);
  }
  const step = edited.length === 0 && ways.length > 0 ? undefined : stepOf(pkg, target, edited);
  return step === null ? null : { target, ways, step: step ?? null };
}

function whyNoTarget({ ecosystem, versions }: PlanAlert, { withheld }: PackageAdvice): Stay['why'] {
  const isReadable = versions.every((version) => isComparable(ecosystem, version));
  if (isReadable && withheld) return 'old_advisories';
  return isReadable ? 'no_safe_version' : 'unreadable_version';
}
