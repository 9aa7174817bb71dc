import { compareText } from '../../shared/text/compare-text.js';
import { tiers } from '../../shared/vulnerability-terms.js';
import type { AlertRow } from '../alerts/alert-facts.js';
import type { PackageAdvice } from '../alerts/package-advice.js';
import { compareVersions, isComparable } from '../matching/versions/index.js';
import type { Place } from './edits.js';
import { closes } from './package-upgrades.js';
import { type PlannedStep, type Surroundings, stepOf, targetsFor } from './planned-step.js';
import type { AdvisoryOf, Target } from './target.js';

export type PlanAlert = Pick<
  AlertRow,
  | 'id'
  | 'ecosystem'
  | 'package_name'
  | 'name'
  | 'vulnerability_id'
  | 'versions'
  | 'advisory_ids'
  | 'tier'
  | 'effective_priority'
  | 'kev_added'
>;

/** All that a plan needs to know of one package. */
export interface PlanPackage {
  /** Unresolved ones, worst first; at least one. */
  readonly alerts: readonly PlanAlert[];
  /** All that count for the package. */
  readonly advisories: readonly AdvisoryOf[];
  readonly advice: PackageAdvice;
  /** Where the stack has it, in any version. */
  readonly places: readonly Place[];
}

export interface PlannedUpgrade {
  /** That close as far as the steps go, worst first; at least one. */
  readonly closed: readonly [PlanAlert, ...PlanAlert[]];
  /** The highest version first. */
  readonly steps: readonly PlannedStep[];
}

export interface Stay {
  readonly alert: PlanAlert;
  readonly why:
    | 'no_safe_version'
    | 'old_advisories'
    | 'newer_parent'
    | 'unreadable_version'
    | 'bundled'
    | 'carries_others';
  /** Of `carries_others`: the version that closes it. */
  readonly to: string | null;
}

export interface PackagePlan {
  /** Null where no upgrade closes any alert. */
  readonly upgrade: PlannedUpgrade | null;
  readonly stays: readonly Stay[];
}

/**
 * What closes most of a package's alerts by the fewest steps: one for each installed version that a closed alert is about. An alert
 * closes only when all its versions move, so a version whose alerts stay anyway is left where it is.
 */
export function planPackage({ alerts, ...own }: PlanPackage, around: Surroundings): PackagePlan {
  const { places, advice } = own;
  const targets = new Map<string, Target>();
  const steps = new Map<string, PlannedStep>();
  const bound = new Map<string, Bound>();
  const targetIn = targetsFor(own);
  for (const { ecosystem, versions } of alerts) {
    for (const version of versions) {
      if (targets.has(version)) continue;
      const target = targetIn(ecosystem, version);
      const reason = target.to === null ? null : boundBy(places, version, around);
      const step =
        target.to === null || target.status === null || reason !== null
          ? null
          : stepOf({ ecosystem, ...own }, { from: version, to: target.to, status: target.status }, around);
      if (target.to !== null && step === null) bound.set(version, { why: reason ?? 'newer_parent', to: target.to });
      if (step !== null) steps.set(version, step);
      targets.set(version, step === null ? { from: version, to: null, status: null, remaining: new Set() } : target);
    }
  }
  const closed = alerts.filter((alert) => closes(targets, alert));
  const left = alerts.filter((alert) => !closes(targets, alert));
  const stays = left.map((alert) => toStay(alert, bound, advice));
  const [worst, ...others] = closed;
  if (worst === undefined) return { upgrade: null, stays };
  const needed = [...new Set(closed.flatMap(({ versions }) => versions))].flatMap(
    (version) => steps.get(version) ?? [],
  );
  const byVersion = (a: PlannedStep, b: PlannedStep) =>
    compareVersions(worst.ecosystem, b.from, a.from) || compareText(a.from, b.from);
  return { upgrade: { closed: [worst, ...others], steps: needed.toSorted(byVersion) }, stays };
}

function boundBy(places: readonly Place[], from: string, { isHeld, isCarrier }: Surroundings): Stay['why'] | null {
  const there = places.filter(({ version }) => version === from);
  if (there.some(isHeld)) return 'bundled';
  return there.some(isCarrier) ? 'carries_others' : null;
}

/** Why a version with a target does not go there. */
interface Bound {
  readonly why: Stay['why'];
  readonly to: string;
}

function toStay(alert: PlanAlert, bound: ReadonlyMap<string, Bound>, { withheld }: PackageAdvice): Stay {
  const { ecosystem, versions } = alert;
  const [first] = versions.flatMap((version) => bound.get(version) ?? []);
  if (first !== undefined) return { alert, why: first.why, to: first.why === 'carries_others' ? first.to : null };
  const isReadable = versions.every((version) => isComparable(ecosystem, version));
  if (isReadable && withheld) return { alert, why: 'old_advisories', to: null };
  return { alert, why: isReadable ? 'no_safe_version' : 'unreadable_version', to: null };
}

/** How much it is worth to close some alerts. */
export interface Weight {
  readonly knownExploited: number;
  readonly red: number;
  /** Null where none has a verdict. */
  readonly priority: number | null;
  readonly closes: number;
}

export function weightOf(closed: readonly PlanAlert[]): Weight {
  const priorities = closed.flatMap(({ effective_priority }) => effective_priority ?? []);
  return {
    knownExploited: closed.filter(({ kev_added }) => kev_added !== null).length,
    red: closed.filter(({ tier }) => tier === 'RED').length,
    priority: priorities.length === 0 ? null : priorities.reduce((sum, each) => sum + each, 0),
    closes: closed.length,
  };
}

/** As alerts are listed: by EffectivePriority, then known exploited, then by tier. Equals stay in their order. */
export function worstFirst({ alert: a }: Pick<Stay, 'alert'>, { alert: b }: Pick<Stay, 'alert'>): number {
  return (
    (b.effective_priority ?? -1) - (a.effective_priority ?? -1) ||
    Number(b.kev_added !== null) - Number(a.kev_added !== null) ||
    tiers.indexOf(a.tier) - tiers.indexOf(b.tier)
  );
}

/** Those that close most first: known exploited ones, then EffectivePriority, RED ones and number; equals by name. */
export function closingMostFirst(a: PlannedUpgrade & Weight, b: PlannedUpgrade & Weight): number {
  return (
    b.knownExploited - a.knownExploited ||
    (b.priority ?? 0) - (a.priority ?? 0) ||
    b.red - a.red ||
    b.closes - a.closes ||
    compareText(nameIn(a), nameIn(b))
  );
}

function nameIn({ closed: [first] }: PlannedUpgrade): string {
  return `${first.package_name} ${first.ecosystem}`;
}
