import { compareText } from '../../shared/text/compare-text.js';
import { tiers } from '../../shared/vulnerability-terms.js';
import type { AlertRow } from '../alerts/alert-facts.js';
import { compareVersions, isVersion } from '../matching/versions/index.js';
import { type Edit, type Place, wayTo } from './edits.js';
import { type Jump, jumpOf } from './jump.js';
import { closes } from './package-upgrades.js';
import { type AdvisoryOf, type Target, targetOf } from './target.js';

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
  /** Where the stack has it, in any version. */
  readonly places: readonly Place[];
}

interface PlannedStep {
  readonly from: string;
  readonly to: string;
  readonly jump: Jump;
  readonly how: 'direct' | 'override' | 'unknown';
  /** Each once. */
  readonly edits: readonly Edit[];
}

export interface PlannedUpgrade {
  /** Worst first; at least one. */
  readonly closed: readonly [PlanAlert, ...PlanAlert[]];
  /** Alerts on the package that stay. */
  readonly leaves: number;
  /** The highest version first. */
  readonly steps: readonly PlannedStep[];
  readonly knownExploited: number;
  readonly red: number;
  /** Null where no closed alert has a verdict. */
  readonly priority: number | null;
}

export interface Stay {
  readonly alert: PlanAlert;
  readonly why: 'no_safe_version' | 'newer_parent' | 'unreadable_version';
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
export function planPackage({ alerts, advisories, places }: PlanPackage): PackagePlan {
  const targets = new Map<string, Target>();
  const steps = new Map<string, PlannedStep>();
  const bound = new Set<string>();
  for (const alert of alerts) {
    for (const version of alert.versions) {
      if (targets.has(version)) continue;
      const target = targetOf(alert.ecosystem, version, advisories);
      const step = target.to === null ? null : stepOf(places, version, target.to);
      if (target.to !== null && step === null) bound.add(version);
      if (step !== null) steps.set(version, step);
      targets.set(version, step === null ? { from: version, to: null, remaining: new Set() } : target);
    }
  }
  const closed = alerts.filter((alert) => closes(targets, alert));
  const left = alerts.filter((alert) => !closes(targets, alert));
  const stays = left.map((alert) => ({ alert, why: whyOf(alert, bound) }));
  const [worst, ...others] = closed;
  if (worst === undefined) return { upgrade: null, stays };
  const needed = [...new Set(closed.flatMap(({ versions }) => versions))].flatMap(
    (version) => steps.get(version) ?? [],
  );
  const byVersion = (a: PlannedStep, b: PlannedStep) =>
    compareVersions(worst.ecosystem, b.from, a.from) || compareText(a.from, b.from);
  const priorities = closed.flatMap(({ effective_priority }) => effective_priority ?? []);
  const upgrade: PlannedUpgrade = {
    closed: [worst, ...others],
    leaves: left.length,
    steps: needed.toSorted(byVersion),
    knownExploited: closed.filter(({ kev_added }) => kev_added !== null).length,
    red: closed.filter(({ tier }) => tier === 'RED').length,
    priority: priorities.length === 0 ? null : priorities.reduce((sum, each) => sum + each, 0),
  };
  return { upgrade, stays };
}

/** Null where one of its places cannot come to the version. */
function stepOf(places: readonly Place[], from: string, to: string): PlannedStep | null {
  const ways = places.filter(({ version }) => version === from).map((place) => wayTo(place, to));
  const edits = new Map<string, Edit>();
  const hows = new Set<PlannedStep['how']>();
  for (const way of ways) {
    if (way.how === 'parent') return null;
    hows.add(way.how);
    for (const edit of way.edits) edits.set(`${edit.file}\n${edit.change}`, edit);
  }
  const [only = 'unknown'] = hows;
  const how = hows.has('unknown') ? 'unknown' : hows.has('direct') ? 'direct' : only;
  return { from, to, jump: jumpOf(from, to), how, edits: [...edits.values()] };
}

function whyOf({ ecosystem, versions }: PlanAlert, bound: ReadonlySet<string>): Stay['why'] {
  if (versions.some((version) => bound.has(version))) return 'newer_parent';
  return versions.every((version) => isVersion(ecosystem, version)) ? 'no_safe_version' : 'unreadable_version';
}

/** As alerts are listed: by EffectivePriority, then known exploited, then by tier. Equals stay in their order. */
export function worstFirst({ alert: a }: Stay, { alert: b }: Stay): number {
  return (
    (b.effective_priority ?? -1) - (a.effective_priority ?? -1) ||
    Number(b.kev_added !== null) - Number(a.kev_added !== null) ||
    tiers.indexOf(a.tier) - tiers.indexOf(b.tier)
  );
}

/** Those that close most first: known exploited ones, then EffectivePriority, RED ones and number; equals by name. */
export function closingMostFirst(a: PlannedUpgrade, b: PlannedUpgrade): number {
  return (
    b.knownExploited - a.knownExploited ||
    (b.priority ?? 0) - (a.priority ?? 0) ||
    b.red - a.red ||
    b.closed.length - a.closed.length ||
    compareText(nameIn(a), nameIn(b))
  );
}

function nameIn({ closed: [first] }: PlannedUpgrade): string {
  return `${first.package_name} ${first.ecosystem}`;
}
