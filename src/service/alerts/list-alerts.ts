import { sql } from 'kysely';
import type * as z from 'zod';
import type { alerts } from '../../procedures/alerts.js';
import { countFindings, totalWith } from '../counts/finding-counts.js';
import type { Transaction } from '../db/database.js';
import type { Scope } from '../db/scope.js';
import { key, type List, ordered } from '../http/list-order.js';
import { isNew, pageOfRows } from '../http/page.js';
import {
  type Counted,
  countedAlerts,
  fewOthers,
  filteredAlerts,
  uncountedConditions,
  unknowns,
} from './alert-filters.js';
import { isResolved, verdictSummary } from './alert-row.js';

type ListInput = z.output<typeof alerts.list.input>;
type Filters = Omit<ListInput, 'project_id'>;

/**
 * The order of alerts whose EffectivePriority is equal or unknown: known exploited first, then by tier, EPSS and CVSS
 * (unknown after known), then by name. It decides between all alerts of a project, and is the same for the same stack in
 * another project. The indexes of migration 0008 have it.
 */
const urgencyKeys = [
  key(sql`(alerts.kev_added is null)`, 'bool'),
  key(sql`alerts.tier_rank`, 'numeric'),
  key(sql`alerts.epss`, 'float8', 'desc', 'nullable'),
  key(sql`alerts.cvss_score`, 'float8', 'desc', 'nullable'),
  key(sql`alerts.package_name collate "C"`, 'text'),
  key(sql`alerts.vulnerability_id collate "C"`, 'text'),
  key(sql`alerts.ecosystem collate "C"`, 'text'),
];

/** The same, as `order by` takes it. */
export const urgency = sql.join(urgencyKeys.map(ordered));

/** By EffectivePriority, in the words of the indexes of one project (0008), or of all projects (0025). */
function priorityOf({ projectId }: Scope) {
  return projectId === undefined
    ? key(sql`coalesce(alerts.effective_priority, -1)`, 'float8', 'desc')
    : key(sql`alerts.effective_priority`, 'float8', 'desc', 'nullable');
}

/** An alert changes as its events say, and as somebody acknowledges or something resolves it. */
const isChanged = (since: Date) => sql<boolean>`(
  greatest(alerts.first_seen_at, alerts.resolved_at, alerts.acknowledged_at) >= ${since} or exists (
    select from alert_events where alert_events.organisation_id = alerts.organisation_id
      and alert_events.project_id = alerts.project_id and alert_events.alert_id = alerts.id and alert_events.at >= ${since}
  ))`;

/**
 * Unresolved first, then by EffectivePriority and urgency: the order of `alerts_worst_first` and `alerts_of_all`.
 *
 * @param first what all rows have alike, and the index that fits has first: with `=` alone the planner would drop it from the order, and
 * could read all worse alerts first
 */
export function alertsByUrgency(scope: Scope, first: 'verdict_band' | 'usage' | undefined): List {
  return {
    keys: [
      ...(first === undefined ? [] : [key(`alerts.${first}`, 'text', 'nullable')]),
      key(sql`(alerts.resolved_at is not null)`, 'bool'),
      priorityOf(scope),
      ...urgencyKeys,
      // Between two projects with the same alert.
      ...(scope.projectId === undefined ? [key('alerts.id', 'text')] : []),
    ],
    appeared: sql`alerts.first_seen_at`,
    changed: isChanged,
  };
}

function listOf(scope: Scope, { band, usage }: Filters): List {
  return alertsByUrgency(scope, band !== undefined ? 'verdict_band' : usage?.length === 1 ? 'usage' : undefined);
}

/** The rows of one page. */
export function alertsPage(tx: Transaction, scope: Scope, input: Filters) {
  const rows = filteredAlerts(tx, scope, input).selectAll().select(verdictSummary);
  return pageOfRows(listOf(scope, input), input, rows);
}

/** How many alerts pass the filters. Reads alerts only where the counts that triggers maintain do not know a filter. */
export async function countAlerts(tx: Transaction, scope: Scope, filters: Filters): Promise<number> {
  const { since, changed_since } = filters;
  if (since !== undefined || changed_since !== undefined) return countRead(tx, scope, filters);
  if (uncountedConditions(filters).length === 0) return countKept(tx, scope, filters);
  const others = fewOthers(filters);
  if (others !== undefined) {
    const [all, without] = await Promise.all([countKept(tx, scope, filters), countRead(tx, scope, others)]);
    return all - without;
  }
  return countRead(tx, scope, filters);
}

/** How many unresolved alerts a list leaves out that has a filter by what people do with alerts. */
export async function countHandled(tx: Transaction, scope: Scope, input: Filters): Promise<number> {
  const { status, acknowledged, resolved, overridden, ...others } = input;
  if ([status, acknowledged, resolved, overridden].every((filter) => filter === undefined)) return 0;
  return countAlerts(tx, scope, { ...others, resolved: false });
}

/** How many unresolved alerts pass the filters without the one that is named, and have no known value for it. */
export async function countUnknown(tx: Transaction, scope: Scope, input: Filters, filter: keyof typeof unknowns) {
  const { total } = await filteredAlerts(tx, scope, { ...input, [filter]: undefined })
    .where(isResolved.no)
    .where(unknowns[filter].isUnknown)
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

async function countRead(tx: Transaction, scope: Scope, filters: Filters): Promise<number> {
  const isMeant = isNew(listOf(scope, filters), filters);
  const meant = filteredAlerts(tx, scope, filters).$if(isMeant !== undefined, (query) =>
    query.where(isMeant ?? sql<boolean>`true`),
  );
  const counted = meant.select((row) => row.fn.countAll<number>().as('total'));
  return (await counted.executeTakeFirstOrThrow()).total;
}

/** Adds up the kept counts. */
async function countKept(tx: Transaction, scope: Scope, filters: Counted): Promise<number> {
  return totalWith(await countFindings(tx, scope, 'dependencies'), countedAlerts, filters);
}

/** How many alerts pass the filters, and one page of them. */
export async function listAlerts(tx: Transaction, scope: Scope, input: Filters) {
  const page = alertsPage(tx, scope, input);
  const [total, rows] = await Promise.all([countAlerts(tx, scope, input), page.execute()]);
  return { total, rows };
}
