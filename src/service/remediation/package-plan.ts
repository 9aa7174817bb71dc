import type { PackageAdvice } from '../alerts/package-advice.js';
import { isAffected } from '../matching/affected.js';
import { isComparable } from '../matching/versions/index.js';
import { identityOf } from '../tech-stack/stack-package.js';
import type { Target } from './affected-packages.js';
import type { Place } from './edits.js';
import { type Graph, placeOf } from './graph.js';
import type { PlanAlert, PlanPackage, Stay } from './plan-alerts.js';
import { type AskingsOf, type EditedStep, stepOf, targetsFor } from './planned-step.js';
import type { Reach } from './reach.js';
import type { Resolver } from './resolver.js';
import { type Way, wayWithoutOverride } from './ways.js';

/** The rest of the project, as far as it is known while one package is planned. */
export interface Surroundings {
  /** Null where it is too large to be read. */
  readonly known: { readonly graph: Graph; readonly reach: Reach } | null;
  readonly resolver: Resolver;
  /** True for a place (`placeOf`) that keeps its version. */
  isKept(place: string): boolean;
  /** Packages (`packageKey`) for which no other way than an override has held. */
  isForced(pkg: PlanPackage): boolean;
}

/** How one affected version of a package goes. */
interface MovedVersion {
  readonly target: Target;
  /** The ways of those places that need no override. */
  readonly ways: readonly Way[];
  /** Its files to change elsewhere; null where there is nothing to change. */
  readonly step: EditedStep | null;
}

export interface PackagePlan {
  readonly moved: ReadonlyMap<string, MovedVersion>;
  /** By the id of each alert that stays open. */
  readonly stays: ReadonlyMap<string, Stay>;
}

/** How each affected version of a package goes, and why those that stay do. */
export function planPackage(pkg: PlanPackage, around: Surroundings): PackagePlan {
  const moved = new Map<string, MovedVersion>();
  const bound = new Map<string, Pick<Stay, 'why' | 'to'>>();
  const askingsOf = (place: Place) => {
    const node = around.known?.graph.nodes.get(placeOf(place.source, identityOf(place)));
    return node === undefined || around.known === null ? [] : around.known.reach.askings(node);
  };
  const targetIn = targetsFor(pkg, askingsOf);
  for (const version of new Set(pkg.alerts.flatMap(({ versions }) => versions))) {
    const target = targetIn(pkg.ecosystem, version);
    if (target.to === null) continue;
    const reason = boundBy(pkg.places, version, around);
    const move = reason === null ? moveOf(pkg, target, askingsOf, around) : null;
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

function boundBy(places: readonly Place[], from: string, { known, isKept }: Surroundings): Stay['why'] | null {
  const there = places.filter(({ version }) => version === from);
  const isHeld = ({ source, bundled_in }: Place) => bundled_in?.some((holder) => isKept(placeOf(source, holder)));
  if (there.some((place) => isHeld(place) === true)) return 'bundled';
  const isCarrier = (place: Place) => known?.graph.carried.has(placeOf(place.source, identityOf(place))) === true;
  return there.some(isCarrier) ? 'carries_others' : null;
}

/** Null where one of its places cannot come to the target. */
function moveOf(
  pkg: PlanPackage,
  target: Target,
  askingsOf: AskingsOf,
  { known, resolver, isForced }: Surroundings,
): MovedVersion | null {
  const { ecosystem, advisories, places } = pkg;
  const closable = advisories.filter(({ id }) => !target.remaining.has(id));
  const isGood = (version: string) => !closable.some(({ affected }) => isAffected(ecosystem, version, affected));
  const ways: Way[] = [];
  const edited: Place[] = [];
  for (const place of places.filter(({ version }) => version === target.from)) {
    const node = known?.graph.nodes.get(placeOf(place.source, identityOf(place)));
    if (known === null || node === undefined) {
      edited.push(place);
      continue;
    }
    const way = isForced(pkg) ? null : wayWithoutOverride(known.graph, resolver, known.reach, node, isGood);
    if (way !== null) ways.push(way);
    else if (place.direct === true && known.reach.nests(node) && node.overridden_by === undefined) {
      // The project's own wish and those of others are met apart.
      ways.push({ refreshed: new Map(), lifts: [{ node, isGood }] });
      if (place.needed) edited.push({ ...place, direct: false });
    } else edited.push(place);
  }
  const isWhole = edited.length === 0 && ways.length > 0;
  const step = isWhole ? undefined : stepOf(pkg, target, edited, askingsOf);
  return step === null ? null : { target, ways, step: step ?? null };
}

function whyNoTarget({ ecosystem, versions }: PlanAlert, { withheld }: PackageAdvice): Stay['why'] {
  const isReadable = versions.every((version) => isComparable(ecosystem, version));
  if (isReadable && withheld) return 'old_advisories';
  return isReadable ? 'no_safe_version' : 'unreadable_version';
}
