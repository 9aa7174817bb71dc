import { sql } from 'kysely';
import type * as z from 'zod';
import type { alerts } from '../../procedures/alerts.js';
import { countFindings, totalOf } from '../counts/finding-counts.js';
import type { Transaction } from '../db/database.js';
import { isListed, type Scope } from '../db/scope.js';
import { offsetOf } from '../http/page.js';
import { type AlertStatus, isResolved, verdictSummary } from './alert-row.js';
import { fewOthers, uncountedConditions, unknowns } from './uncounted-filters.js';

type ListInput = z.output<typeof alerts.list.input>;
type Filters = Omit<ListInput, 'project_id'>;

const isOfStatus = {
  open: sql<boolean>`${isResolved.no} and acknowledged_at is null`,
  acknowledged: sql<boolean>`${isResolved.no} and acknowledged_at is not null`,
  resolved: isResolved.yes,
} as const satisfies Record<AlertStatus, unknown>;

/** The alerts that pass the filters: of one project, or of all. */
function filtered(tx: Transaction, scope: Scope, filters: Filters) {
  const { status, acknowledged, resolved, band, tier } = filters;
  const alerts = tx
    .selectFrom('alerts')
    .where(isListed(scope))
    .$if(status !== undefined, (query) => query.where(isOfStatus[status ?? 'open']))
    .$if(acknowledged !== undefined, (query) => query.where('acknowledged_at', acknowledged ? 'is not' : 'is', null))
    .$if(resolved !== undefined, (query) => query.where(resolved ? isResolved.yes : isResolved.no))
    .$if(band !== undefined, (query) =>
      band === undefined || band === 'unanalyzed'
        ? query.where('verdict_band', 'is', null)
        : query.where('verdict_band', '>=', band).where('verdict_band', '<=', band),
    )
    .$if(tier !== undefined, (query) => query.where('tier_rank', '=', tierRanks[tier ?? 'RED']));
  return uncountedConditions(filters).reduce((query, condition) => query.where(condition), alerts);
}

/** As the column is generated. The index contains the rank, not the tier. */
const tierRanks = { RED: 0, YELLOW: 1, GREEN: 2 } as const;

/**
 * The order of alerts whose EffectivePriority is equal or unknown: known exploited first, then by tier, EPSS and CVSS
 * (unknown after known), then by name. It decides between all alerts of a project, and is the same for the same stack in
 * another project. The indexes of migration 0008 have it.
 */
export const urgency = sql`(alerts.kev_added is null), alerts.tier_rank, alerts.epss desc nulls last,
  alerts.cvss_score desc nulls last, alerts.package_name collate "C", alerts.vulnerability_id collate "C",
  alerts.ecosystem collate "C"`;

/** By EffectivePriority, in the words of the indexes of one project (0008), or of all projects (0025). */
export function priorityOf({ projectId }: Scope) {
  return projectId === undefined
    ? sql`coalesce(alerts.effective_priority, -1) desc`
    : sql`alerts.effective_priority desc nulls last`;
}

/** One page: unresolved first, then by EffectivePriority and urgency, the order of `alerts_worst_first` and `alerts_of_all`. */
export function alertsPage(tx: Transaction, scope: Scope, input: Filters) {
  return (
    filtered(tx, scope, input)
      .selectAll()
      .select(verdictSummary)
      // All rows have the same band. With `=` the planner would drop it from the order, and could read all worse alerts
      // first. As a range and first in the order, only the index of bands fits.
      .$if(input.band !== undefined, (query) => query.orderBy('verdict_band'))
      .$if(input.usage?.length === 1 && input.band === undefined, (query) => query.orderBy('usage'))
      .orderBy(sql`(resolved_at is not null)`)
      .orderBy(priorityOf(scope))
      .orderBy(urgency)
      // Between two projects with the same alert.
      .$if(scope.projectId === undefined, (query) => query.orderBy('id'))
      .limit(input.page_size)
      .offset(offsetOf(input))
  );
}

/** The states that alerts are counted by, as the filters see them. */
const countedStates = [
  { state: 'open', status: 'open', acknowledged: false, resolved: false },
  { state: 'open_acknowledged', status: 'acknowledged', acknowledged: true, resolved: false },
  { state: 'resolved', status: 'resolved', acknowledged: false, resolved: true },
  { state: 'resolved_acknowledged', status: 'resolved', acknowledged: true, resolved: true },
] as const;

/** How many alerts pass the filters. Reads alerts only where the counts that triggers maintain do not know a filter. */
export async function countAlerts(tx: Transaction, scope: Scope, filters: Filters): Promise<number> {
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
  const { total } = await filtered(tx, scope, { ...input, [filter]: undefined })
    .where(isResolved.no)
    .where(unknowns[filter].isUnknown)
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

async function countRead(tx: Transaction, scope: Scope, filters: Filters): Promise<number> {
  const counted = filtered(tx, scope, filters).select((row) => row.fn.countAll<number>().as('total'));
  return (await counted.executeTakeFirstOrThrow()).total;
}

/** Adds up the kept counts. */
async function countKept(
  tx: Transaction,
  scope: Scope,
  { status, acknowledged, resolved, band, tier }: Filters,
): Promise<number> {
  const isAsked = (filter: unknown, value: unknown) => filter === undefined || filter === value;
  const states = countedStates.filter(
    (each) =>
      isAsked(status, each.status) && isAsked(acknowledged, each.acknowledged) && isAsked(resolved, each.resolved),
  );
  if (states.length === 0) return 0;
  return totalOf(
    await countFindings(tx, scope, 'dependencies'),
    (kind) => states.some(({ state }) => state === kind.state) && isAsked(band, kind.band) && isAsked(tier, kind.tier),
  );
}

/** How many alerts pass the filters, and one page of them. */
export async function listAlerts(tx: Transaction, scope: Scope, input: Filters) {
  const [total, rows] = await Promise.all([countAlerts(tx, scope, input), alertsPage(tx, scope, input).execute()]);
  return { total, rows };
}
