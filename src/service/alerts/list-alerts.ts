import { sql } from 'kysely';
import type * as z from 'zod';
import type { alerts } from '../../procedures/alerts.js';
import type { Transaction } from '../db/database.js';
import { offsetOf } from '../http/page.js';
import { type AlertStatus, verdictSummary } from './alert-row.js';

type ListInput = z.output<typeof alerts.list.input>;

const isOfStatus = {
  open: sql<boolean>`resolved_at is null and acknowledged_at is null`,
  acknowledged: sql<boolean>`resolved_at is null and acknowledged_at is not null`,
  resolved: sql<boolean>`resolved_at is not null`,
} as const satisfies Record<AlertStatus, unknown>;

/** A project's alerts that pass the filters. */
function filtered(
  tx: Transaction,
  organisationId: string,
  { project_id, status, acknowledged, resolved, band, tier }: ListInput,
) {
  return tx
    .selectFrom('alerts')
    .where('organisation_id', '=', organisationId)
    .where('project_id', '=', project_id)
    .$if(status !== undefined, (query) => query.where(isOfStatus[status ?? 'open']))
    .$if(acknowledged !== undefined, (query) => query.where('acknowledged_at', acknowledged ? 'is not' : 'is', null))
    .$if(resolved !== undefined, (query) => query.where('resolved_at', resolved ? 'is not' : 'is', null))
    .$if(band !== undefined, (query) =>
      query.where('verdict_band', 'is not distinct from', band === undefined || band === 'unanalyzed' ? null : band),
    )
    .$if(tier !== undefined, (query) => query.where('tier_rank', '=', tierRanks[tier ?? 'RED']));
}

/** As the column is generated; the rank stands in the index, the tier does not. */
const tierRanks = { RED: 0, YELLOW: 1, GREEN: 2 } as const;

/** One page: unresolved first, then by EffectivePriority, tier and id. The order is that of the index `alerts_worst_first`. */
export function alertsPage(tx: Transaction, organisationId: string, input: ListInput) {
  return filtered(tx, organisationId, input)
    .selectAll()
    .select(verdictSummary)
    .orderBy(sql`(resolved_at is not null)`)
    .orderBy('effective_priority', (order) => order.desc().nullsLast())
    .orderBy('tier_rank')
    .orderBy('id')
    .limit(input.page_size)
    .offset(offsetOf(input));
}

/** How many alerts pass the filters, and that page of them. */
export async function listAlerts(tx: Transaction, organisationId: string, input: ListInput) {
  const { total } = await filtered(tx, organisationId, input)
    .select((alert) => alert.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { total, rows: await alertsPage(tx, organisationId, input).execute() };
}
