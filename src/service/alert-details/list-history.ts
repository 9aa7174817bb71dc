import { type RawBuilder, sql } from 'kysely';
import { historyEntry } from '../../procedures/alert-details.js';
import type { AlertRow } from '../alerts/alert-facts.js';
import { findAlert } from '../alerts/find-alert.js';
import { historyDays } from '../alerts/history-events.js';
import type { Handlers } from '../api/handler.js';
import { key, type List } from '../http/list-order.js';
import { answerPage, asOf, isNew, partsOf } from '../http/page.js';
import type { ProjectKey } from '../projects/find-project.js';

interface HappenedRow {
  readonly id: string;
  readonly at: Date;
  readonly exact: boolean;
  readonly kind: string;
  /** What an entry of the kind has besides, in wire form. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly place: string;
}

const newest: List = {
  keys: [
    key('happened.at', 'timestamptz', 'desc'),
    key('happened.turn', 'numeric', 'desc'),
    key('happened.id', 'text', 'desc'),
  ],
  appeared: sql`happened.at`,
};

/** One list of what stands in the alert's own row, in its events and in the audit log. */
export const listHistory: Handlers['alerts']['listHistory'] = async (ctx, input) => {
  const { tx, organisationId, now } = ctx;
  const all = happened({ organisationId, projectId: input.project_id }, input.alert_id);
  const isMeant = isNew(newest, input) ?? sql`true`;
  const { isAfter = sql`true`, order, place, limit, offset } = partsOf(newest, input);
  const [as_of, alert, organisation, { rows: counted }, { rows }] = await Promise.all([
    asOf(ctx, input),
    findAlert(ctx, input),
    tx.selectFrom('organisations').select('history_since').where('id', '=', organisationId).executeTakeFirstOrThrow(),
    sql<{ readonly total: number }>`select count(*)::int as total from (${all}) as happened where ${isMeant}`.execute(
      tx,
    ),
    sql<HappenedRow>`select id, at, exact, kind, facts, ${place} from (${all}) as happened
      where ${isMeant} and ${isAfter} order by ${order} limit ${limit} offset ${offset}`.execute(tx),
  ]);
  const page = answerPage(ctx, input, { as_of, total: counted[0]?.total ?? 0, rows });
  return {
    ...page,
    items: page.items.map(toEntry),
    ...knownSince(alert, organisation.history_since, now),
  };
};

function toEntry({ facts, at, ...row }: Omit<HappenedRow, 'place'>) {
  return historyEntry.parse({ ...facts, ...row, at: at.toISOString() });
}

/** Acknowledgements, overrides, and the last resolution are known for ever, but not all that happened between them. */
function knownSince({ first_seen_at }: AlertRow, keptSince: Date, now: Date) {
  const oldest = now.getTime() - historyDays * 24 * 60 * 60 * 1000;
  const since = Math.max(first_seen_at.getTime(), keptSince.getTime(), oldest);
  return { known_since: new Date(since), complete: since === first_seen_at.getTime() };
}

/** As literals, because the index `audit_log_of_alert` has only entries with these actions. */
const actions = sql.raw(
  ['alert.acknowledge', 'alert.unacknowledge', 'verdict.override', 'verdict.clear_override', 'verdict.override_expired']
    .map((action) => `'${action}'`)
    .join(', '),
);

const kindOfAction = sql`case action when 'alert.acknowledge' then 'acknowledged' when 'alert.unacknowledge' then 'unacknowledged'
  when 'verdict.override' then 'override_set' when 'verdict.clear_override' then 'override_cleared' else 'override_expired' end`;

/** Of an override that was set, what it is; of one that ended, what it was. The log has only what has changed. */
const factsOfAction = sql`case
  when action in ('verdict.clear_override', 'verdict.override_expired')
    then jsonb_build_object('verdict', before -> 'verdict', 'reason', before -> 'reason')
  else jsonb_build_object('note', after -> 'note', 'verdict', after -> 'verdict', 'reason', after -> 'reason',
    'expires_at', after -> 'expires_at')
  end || jsonb_build_object('by', jsonb_build_object('kind', actor_kind, 'name', actor_name))`;

/**
 * Everything, unordered; old entries of the log name no project. Of what happened at one moment, the one with the higher
 * `turn` came later.
 */
export function happened({ organisationId, projectId }: ProjectKey, alertId: string): RawBuilder<unknown> {
  const ofAlert = sql`organisation_id = ${organisationId} and project_id = ${projectId}`;
  const targets = sql`array(
    select ${alertId}::text union all
    select id from verdicts where organisation_id = ${organisationId} and alert_id = ${alertId}
  )`;
  return sql`
    select 'appeared' as id, first_seen_at as at, true as exact, 0::bigint as turn, 'appeared' as kind, '{}'::jsonb as facts
    from alerts where ${ofAlert} and id = ${alertId}
    union all
    select 'resolved', resolved_at, true, 9223372036854775807, 'resolved', jsonb_build_object('resolution', resolution)
    from alerts where ${ofAlert} and id = ${alertId} and resolved_at is not null
    union all
    select 'event_' || ordinal, at, exact, ordinal, kind, facts
    from alert_events where ${ofAlert} and alert_id = ${alertId}
    union all
    select id, at, true, 9223372036854775806, ${kindOfAction}, ${factsOfAction}
    from audit_log where organisation_id = ${organisationId} and (project_id = ${projectId} or project_id is null) and target_id = any (${targets}) and action in (${actions})`;
}
