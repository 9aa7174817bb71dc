import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod';
import type { alerts } from '../../procedures/alerts.js';
import type { Usage } from '../../shared/vulnerability-terms.js';
import type { CountedFilters } from '../counts/finding-counts.js';
import type { Transaction } from '../db/database.js';
import { isListed, type Scope } from '../db/scope.js';
import { all, type Conditions, conditionsOf, type FiltersOf } from '../http/filters.js';
import { type AlertStatus, isResolved } from './alert-row.js';
import { isAboutVulnerability } from './find-alert.js';

type ListInput = z.output<typeof alerts.list.input>;
type Filters = FiltersOf<ListInput>;

/** The filters that the kept counts know. */
type CountedNames = 'status' | 'acknowledged' | 'resolved' | 'band' | 'tier';
export type Counted = Pick<Filters, CountedNames>;
/** Those that only the alerts themselves know. */
type Uncounted = Omit<Filters, CountedNames>;

const isOfStatus = {
  open: sql<boolean>`(${isResolved.no} and acknowledged_at is null)`,
  acknowledged: sql<boolean>`(${isResolved.no} and acknowledged_at is not null)`,
  resolved: isResolved.yes,
} as const satisfies Record<AlertStatus, unknown>;

/** As the column is generated. The index contains the rank, not the tier. */
const tierRanks = { RED: 0, YELLOW: 1, GREEN: 2 } as const;

const counted: Conditions<Counted> = {
  status: (status) => isOfStatus[status],
  acknowledged: (there) => isThere('acknowledged_at', there),
  resolved: (resolved) => (resolved ? isResolved.yes : isResolved.no),
  band: (band) =>
    band === 'unanalyzed'
      ? sql<boolean>`verdict_band is null`
      : sql<boolean>`(verdict_band >= ${band} and verdict_band <= ${band})`,
  tier: (tier) => sql<boolean>`tier_rank = ${tierRanks[tier]}`,
};

const statusOfState: Readonly<Record<string, AlertStatus>> = { open: 'open', open_acknowledged: 'acknowledged' };

/** Alerts are counted as open or resolved, each with and without an acknowledgement. */
export const countedAlerts: CountedFilters<Counted> = {
  status: ({ state }, status) => (statusOfState[state] ?? 'resolved') === status,
  acknowledged: ({ state }, acknowledged) => state.endsWith('acknowledged') === acknowledged,
  resolved: ({ state }, resolved) => state.startsWith('resolved') === resolved,
  band: (kind, band) => kind.band === band,
  tier: (kind, tier) => kind.tier === tier,
};

const uncounted: Conditions<Uncounted> = {
  cve: isAboutVulnerability,
  package: isNamed,
  usage: isUsed,
  severity: (severities) => sql<boolean>`alerts.severity = any (${severities}::text[])`,
  epss_min: (least) => sql<boolean>`alerts.epss >= ${least}`,
  cwe: (kind) => namesWeakness(sql`cwes @> array[${kind}]::text[]`),
  kev: (there) => isThere('kev_added', there),
  fixable: (there) => isThere('safe_version', there),
  overridden: (there) => (there ? isOverridden() : sql<boolean>`not ${isOverridden()}`),
};

/** The conditions of the filters that are given, and that the kept counts do not know. */
export function uncountedConditions(filters: Uncounted): RawBuilder<boolean>[] {
  return conditionsOf(uncounted, filters);
}

/** The alerts that pass the filters, `since` apart: of one project, or of all. */
export function filteredAlerts(tx: Transaction, scope: Scope, filters: Filters) {
  const passes = all(conditionsOf<Filters>({ ...counted, ...uncounted }, filters));
  return tx.selectFrom('alerts').where(isListed(scope)).where(passes);
}

/** Some advisory of the alert meets a condition on its kinds of weakness. */
function namesWeakness(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from advisories where advisories.id = any (alerts.advisory_ids) and ${condition})`;
}

function isOverridden(): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from verdicts where verdicts.organisation_id = alerts.organisation_id and verdicts.alert_id = alerts.id
      and verdicts.override_verdict is not null
  )`;
}

/** The filters by what is not known of every alert: the condition that it is not, and what it is. */
export const unknowns = {
  usage: { isUnknown: sql<boolean>`(alerts.usage is null or alerts.usage = 'not_analyzed')`, what: 'use' },
  band: { isUnknown: sql<boolean>`alerts.verdict_band is null`, what: 'verdict' },
  severity: { isUnknown: sql<boolean>`alerts.severity is null`, what: 'severity' },
  epss_min: { isUnknown: sql<boolean>`alerts.epss is null`, what: 'EPSS' },
  cwe: { isUnknown: sql<boolean>`not ${namesWeakness(sql`cwes <> '{}'`)}`, what: 'kind of weakness' },
} as const satisfies { readonly [Name in keyof ListInput]?: unknown };

/** One class as a range and with its index's first column in the order, as for bands. */
function isUsed(classes: readonly Usage[]): RawBuilder<boolean> {
  const [one, ...others] = classes;
  return others.length === 0
    ? sql<boolean>`(alerts.usage >= ${one} and alerts.usage <= ${one})`
    : sql<boolean>`alerts.usage = any (${[...classes]}::text[])`;
}

function isThere(column: 'acknowledged_at' | 'kev_added' | 'safe_version', there: boolean): RawBuilder<boolean> {
  return there ? sql<boolean>`${sql.ref(column)} is not null` : sql<boolean>`${sql.ref(column)} is null`;
}

/** In any case; as the manifest spells the name, or as its registry compares it. */
function isNamed(part: string): RawBuilder<boolean> {
  const contains = (column: string) => sql`position(lower(${part}) in lower(${sql.ref(column)})) > 0`;
  return sql<boolean>`(${contains('alerts.package_name')} or ${contains('alerts.name')})`;
}

/**
 * The opposite of a filter that most alerts pass: those that do not are few, and have an index. Undefined where that is not
 * the only filter of its kind.
 */
export function fewOthers<Input extends Filters>(input: Input): Input | undefined {
  const { kev, fixable, overridden } = input;
  const opposites = [
    ...(kev === false ? [{ ...input, kev: true }] : []),
    ...(fixable === true ? [{ ...input, fixable: false }] : []),
    ...(overridden === false ? [{ ...input, overridden: true }] : []),
  ];
  return uncountedConditions(input).length === 1 ? opposites[0] : undefined;
}
