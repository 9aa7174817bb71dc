import { type Kysely, sql } from 'kysely';
import { bindToProjects } from './bound-keys.js';
import { protectTenantTable } from './protect-tenant-table.js';

/**
 * What happened to alerts, as far as no other table keeps it. That one appeared, and how it was resolved last, stands in its
 * row; what people did, in the audit log.
 */
const statements = [
  `create table alert_events (
    organisation_id text not null,
    project_id text not null,
    alert_id text not null,
    ordinal bigint not null generated always as identity,
    at timestamptz not null,
    exact boolean not null default true,
    kind text not null check (kind in ('resolved', 'reopened', 'tier_changed', 'verdict_changed')),
    facts jsonb not null,
    primary key (organisation_id, alert_id, ordinal),
    foreign key (organisation_id, project_id) references projects on delete cascade,
    foreign key (organisation_id, alert_id) references alerts on delete cascade
  )`,
  'create index alert_events_by_age on alert_events (at)',
  // Since when they are kept: for organisations that are there, from now on.
  'alter table organisations add column history_since timestamptz not null default now()',
  // Of what came and went before, the days are known.
  `insert into alert_events (organisation_id, project_id, alert_id, at, exact, kind, facts)
    select organisation_id, project_id, id, turned.day::timestamp at time zone 'UTC', false,
      case nth % 2 when 0 then 'resolved' else 'reopened' end,
      case nth % 2 when 0 then '{"resolution": null}'::jsonb else '{}' end
    from alerts cross join lateral unnest(turns) with ordinality as turned (day, nth)
    where cardinality(turns) > 2 and nth > 1 and not (nth = cardinality(turns) and resolved_at is not null)
    order by organisation_id, id, nth`,
  // What people did to one alert. The log has other entries, too, and may have very many.
  `create index audit_log_of_alert on audit_log (organisation_id, target_id)
    where action in ('alert.acknowledge', 'alert.unacknowledge', 'verdict.override', 'verdict.clear_override', 'verdict.override_expired')`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  await protectTenantTable(db, 'alert_events', 'select, insert');
  await bindToProjects(db, 'alert_events');
}
