import { sql } from 'kysely';
import type { VerdictCause } from '../../procedures/alert-details.js';
import type { AlertResolution, Tier, VerdictBand } from '../../shared/vulnerability-terms.js';
import type { Transaction } from '../db/database.js';
import type { ProjectKey } from '../projects/find-project.js';

/** Days that events of alerts are kept. */
export const historyDays = 400;

/** A machine verdict; `unanalyzed` and null where there was none. */
interface Judged {
  readonly band: VerdictBand | 'unanalyzed';
  readonly effective_priority: number | null;
}

/** What happened to an alert, of the kinds that no other table keeps. The facts are stored as the API answers them. */
export type HistoryEvent =
  | { readonly kind: 'reopened'; readonly facts: Readonly<Record<never, never>> }
  | { readonly kind: 'resolved'; readonly facts: { readonly resolution: AlertResolution | null } }
  | { readonly kind: 'tier_changed'; readonly facts: { readonly before: Tier; readonly after: Tier } }
  | {
      readonly kind: 'verdict_changed';
      readonly facts: { readonly before: Judged; readonly after: Judged; readonly because: readonly VerdictCause[] };
    };

/** Keeps what has just happened to some alerts. */
export async function keepEvents(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  events: ReadonlyArray<HistoryEvent & { readonly alertId: string }>,
  now: Date,
): Promise<void> {
  if (events.length === 0) return;
  await sql`
    insert into alert_events (organisation_id, project_id, alert_id, at, kind, facts)
    select ${organisationId}, ${projectId}, given.*
    from (select "alertId", ${now}::timestamptz, kind, facts
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as event ("alertId" text, kind text, facts jsonb)) as given`.execute(
    tx,
  );
}

/** Keeps that alerts come back, and how they had been resolved: their rows know it only until then. */
export async function keepReopening(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  alertIds: readonly string[],
  now: Date,
): Promise<void> {
  if (alertIds.length === 0) return;
  await sql`
    insert into alert_events (organisation_id, project_id, alert_id, at, kind, facts)
    select ${organisationId}, ${projectId}, alerts.id, happened.at, happened.kind, happened.facts
    from alerts cross join lateral (values
      (1, 'resolved', alerts.resolved_at, jsonb_build_object('resolution', alerts.resolution)),
      (2, 'reopened', ${now}::timestamptz, jsonb_build_object())
    ) as happened (nth, kind, at, facts)
    where alerts.organisation_id = ${organisationId} and alerts.id = any (${alertIds}::text[]) and resolved_at is not null
    order by alerts.id, happened.nth`.execute(tx);
}
