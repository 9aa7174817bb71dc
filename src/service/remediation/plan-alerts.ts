import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { compareText } from '../../shared/text/compare-text.js';
import { tiers } from '../../shared/vulnerability-terms.js';
import type { AlertRow } from '../alerts/alert-facts.js';
import type { PackageAdvice } from '../alerts/package-advice.js';
import type { AdvisoryOf } from './affected-packages.js';
import type { Place } from './edits.js';

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
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  /** Unresolved ones, worst first; at least one. */
  readonly alerts: readonly PlanAlert[];
  /** All that count for the package. */
  readonly advisories: readonly AdvisoryOf[];
  readonly advice: PackageAdvice;
  /** All places of the stack that have it, in any version. */
  readonly places: readonly Place[];
}

export interface Stay {
  readonly alert: PlanAlert;
  readonly why:
    | 'no_safe_version'
    | 'old_advisories'
    | 'newer_parent'
    | 'unreadable_version'
    | 'bundled'
    | 'carries_others'
    | 'parent_moves';
  /** The version that closes it, for `carries_others`. */
  readonly to: string | null;
}

/** How much it is worth to close some alerts. */
export interface Weight {
  readonly knownExploited: number;
  readonly red: number;
  /** Null where none has a verdict. */
  readonly priority: number | null;
}

export function weightOf(alerts: readonly PlanAlert[]): Weight {
  const priorities = alerts.flatMap(({ effective_priority }) => effective_priority ?? []);
  return {
    knownExploited: alerts.filter(({ kev_added }) => kev_added !== null).length,
    red: alerts.filter(({ tier }) => tier === 'RED').length,
    priority: priorities.length === 0 ? null : priorities.reduce((sum, each) => sum + each, 0),
  };
}

/** As alerts are listed: by EffectivePriority, then known exploited, then by tier. Equals stay in their order. */
export function worstFirst(a: PlanAlert, b: PlanAlert): number {
  return (
    (b.effective_priority ?? -1) - (a.effective_priority ?? -1) ||
    Number(b.kev_added !== null) - Number(a.kev_added !== null) ||
    tiers.indexOf(a.tier) - tiers.indexOf(b.tier)
  );
}

interface Weighed extends Weight {
  readonly closes: number;
  readonly package_name: string;
  readonly ecosystem: Ecosystem;
}

/** Those that close most first: known exploited ones, then EffectivePriority, RED ones and number; equals by name. */
export function closingMostFirst(a: Weighed, b: Weighed): number {
  return (
    b.knownExploited - a.knownExploited ||
    (b.priority ?? 0) - (a.priority ?? 0) ||
    b.red - a.red ||
    b.closes - a.closes ||
    compareText(`${a.package_name} ${a.ecosystem}`, `${b.package_name} ${b.ecosystem}`)
  );
}
