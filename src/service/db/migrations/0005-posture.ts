import { type Kysely, sql } from 'kysely';
import { alertCounts, countingTriggers, findingCounts } from './count-triggers.js';
import { protectTenantTable } from './protect-tenant-table.js';

/**
 * `turns`: the days (UTC) on which a finding became open and stopped being open, alternately. It is open while their
 * number is odd. A finding that came and went on one day leaves no trace: it was not open at any midnight. A day before
 * the last one (clocks differ) counts as the last.
 */
const turn = `
  create function turn(turns date[], at timestamptz) returns date[] language sql immutable as $$
    select case
      when turns[cardinality(turns)] >= (at at time zone 'UTC')::date then turns[:cardinality(turns) - 1]
      else turns || (at at time zone 'UTC')::date
    end
  $$`;

/** The values of `priorityOfTier` and `unknownProbability` in src/procedures/risk.ts. */
const priorityOfTier = `case tier when 'RED' then 60 when 'YELLOW' then 30 else 0 end`;
const probability = 'coalesce(epss, 0.01)';

/**
 * The first key of an alert's rank; null where it is not ranked: resolved, acknowledged or de-escalated. Without a call or
 * an import, no machine verdict is `likely_exploitable`. If the band says so, a member has overridden it.
 */
const riskOfAlert = `case
  when resolved_at is not null or acknowledged_at is not null or verdict_band = 'likely_not_exploitable' then null
  when kev_added is not null then 0
  when usage in ('called', 'imported') or verdict_band = 'likely_exploitable' then 1
  when tier = 'RED' then 2
  else 3 end`;

const riskOfFinding = `case
  when state <> 'open' then null
  when kev_added is not null then 0
  when domain = 'code' and tier in ('RED', 'YELLOW') and details @> '{"in_production": true}' then 1
  when tier = 'RED' then 2
  else 3 end`;

const severityRank = `case severity when 'critical' then 0 when 'high' then 1 when 'moderate' then 2 when 'medium' then 2
  when 'low' then 3 when 'info' then 4 else 5 end`;

function rankColumns(table: string, risk: string, priority: string): string[] {
  return [
    `alter table ${table}
      add column risk smallint generated always as (${risk}) stored,
      add column risk_score double precision
        generated always as (case when (${risk}) = 2 then ${probability} else ${priority} end) stored,
      add column probability double precision generated always as (${probability}) stored,
      add column severity_rank smallint generated always as (${severityRank}) stored,
      add column opened_on date
        generated always as (case when cardinality(turns) % 2 = 1 then turns[cardinality(turns)] end) stored`,
  ];
}

const worst = 'risk, risk_score desc, probability desc, severity_rank, id';

/** Indexes with the worst first: for an organisation and for a project, of all open ones and of those new on one day. */
function rankIndexes(table: string, domain: string): string[] {
  return [
    `create index ${table}_by_risk on ${table} (organisation_id, ${domain}${worst}) where risk < 3`,
    `create index ${table}_by_risk_of_project on ${table} (organisation_id, project_id, ${domain}${worst}) where risk < 3`,
    `create index ${table}_new on ${table} (organisation_id, ${domain}opened_on, ${worst}) where risk is not null`,
    `create index ${table}_new_of_project on ${table} (organisation_id, project_id, ${domain}opened_on, ${worst})
      where risk is not null`,
  ];
}

/** For filtered lists. Without these indexes, a filter that few rows pass would read a large project completely. */
const filterIndexes = [
  `create index alerts_of_band on alerts (organisation_id, project_id, verdict_band, (resolved_at is not null),
    effective_priority desc nulls last, tier_rank, id)`,
  `create index alerts_of_tier on alerts (organisation_id, project_id, tier_rank, (resolved_at is not null),
    effective_priority desc nulls last, id)`,
  `create index alerts_acknowledged on alerts (organisation_id, project_id, (resolved_at is not null),
    effective_priority desc nulls last, tier_rank, id) where acknowledged_at is not null`,
  `create index alerts_on_malware on alerts (organisation_id, project_id, ecosystem, package_name)
    where malicious and resolved_at is null`,
  `create index findings_of_severity on findings (organisation_id, project_id, domain, severity, state_rank, tier_rank, id)`,
  `create index findings_of_source on findings (organisation_id, project_id, domain, source, state_rank, tier_rank, id)`,
];

const tables = [
  // Counts of findings and alerts by what lists and summaries need; triggers keep them. A row with source '' counts all sources.
  `create table posture_counts (
    organisation_id text not null,
    domain text not null,
    source text not null,
    project_id text not null,
    state text not null,
    tier text not null,
    severity text not null,
    band text not null,
    count bigint not null,
    primary key (organisation_id, domain, source, project_id, state, tier, severity, band),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
  // What a window that begins with a day has to count for that day: see `countTransitions`.
  `create table posture_days (
    organisation_id text not null,
    domain text not null,
    day date not null,
    project_id text not null,
    tier text not null,
    arrived bigint not null,
    departed bigint not null,
    primary key (organisation_id, domain, day, project_id, tier),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
];

const statements = (schema: string) => [
  turn,
  // How the alert's package is used, as its verdict says; null while there is no verdict.
  'alter table alerts add column usage text',
  `update alerts set usage = verdicts.evidence #>> '{usage,usage}' from verdicts
    where verdicts.organisation_id = alerts.organisation_id and verdicts.alert_id = alerts.id`,
  `alter table alerts add column turns date[] not null default '{}'`,
  `update alerts set turns = case when resolved_at is null then turn('{}', first_seen_at)
    else turn(turn('{}', first_seen_at), resolved_at) end`,
  `alter table alerts alter column turns drop default,
    add check ((resolved_at is null) = (cardinality(turns) % 2 = 1))`,
  `alter table findings add column turns date[] not null default '{}'`,
  `update findings set turns = case state when 'open' then turn('{}', first_seen_at)
    when 'fixed' then turn(turn('{}', first_seen_at), coalesce(fixed_at, last_seen_at)) else '{}' end`,
  `alter table findings alter column turns drop default,
    add check ((state = 'open') = (cardinality(turns) % 2 = 1))`,
  // A scan confirms most findings without a change. With free room in their page, that updates no index.
  'alter table findings set (fillfactor = 50)',
  ...rankColumns('alerts', riskOfAlert, `coalesce(effective_priority, ${priorityOfTier})`),
  ...rankColumns('findings', riskOfFinding, priorityOfTier),
  ...rankIndexes('alerts', ''),
  ...rankIndexes('findings', 'domain, '),
  ...filterIndexes,
  ...tables,
  ...countingTriggers(schema, 'alerts', alertCounts),
  ...countingTriggers(schema, 'findings', findingCounts),
  ...alertCounts.map((count) => count([['alerts', '+']])),
  ...findingCounts.map((count) => count([['findings', '+']])),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  for (const { schema } of rows) for (const statement of statements(schema)) await sql.raw(statement).execute(db);
  await protectTenantTable(db, 'posture_counts', 'select');
  await protectTenantTable(db, 'posture_days', 'select');
}
