import { type Kysely, sql } from 'kysely';
import { countAlerts, countFindings, countingTriggers } from './count-triggers.js';
import { protectTenantTable } from './protect-tenant-table.js';
import { countWindows } from './window-counts.js';

/**
 * `turns`: the days (UTC) on which a finding became open and stopped being open, alternately. It is open while their
 * number is odd. A day before the last one (clocks differ) counts as the last. Of what happened on one day, the last coming
 * and the last going are kept. Of very many days, the second and third are dropped.
 */
const turn = `
  create or replace function turn(turns date[], at timestamptz) returns date[] language sql immutable as $$
    select case
      when next[n - 3] = next[n] then next[:n - 2]
      when n > 64 then next[1:1] || next[4:]
      else next
    end
    from (select next, cardinality(next) as n from
      (select turns || greatest((at at time zone 'UTC')::date, turns[cardinality(turns)]) as next) as turned) as counted
  $$`;

/** The scanner of an image's newest report. Until now each report replaced the one before, so it saw all that is open. */
const lastScanner = `
  select distinct on (organisation_id, target_id) organisation_id, target_id as image_id, after ->> 'scanner' as tool
  from audit_log where action = 'containers.upload_report' and after ->> 'scanner' is not null
  order by organisation_id, target_id, id desc`;

const systemTypes = `('deb', 'apk', 'rpm', 'alpm', 'portage')`;

const sightings = [
  `alter table findings add column part text not null default '', add column sightings jsonb not null default '[]',
    add column reports jsonb`,
  `update findings set part = case when details #>> '{package,type}' in ${systemTypes} then 'os' else 'library' end
    where domain = 'containers'`,
  `update findings set sightings = jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
      'tool', scanner.tool, 'scope', case scanner.tool when 'grype' then '["image", "squashed"]' else '["image"]' end::jsonb,
      'at', to_char(findings.last_seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'suppressed', case when findings.state = 'suppressed' then true end,
      'gone', case when findings.state = 'fixed' then true end)))
    from container_images as image
    join (${lastScanner}) as scanner on scanner.organisation_id = image.organisation_id and scanner.image_id = image.id
    where findings.domain = 'containers' and image.organisation_id = findings.organisation_id
      and image.project_id = findings.project_id and image.ref = findings.source`,
  `create table newest_reports (
    organisation_id text not null,
    project_id text not null,
    domain text not null,
    source text not null,
    tool text not null,
    scope text[] not null,
    part text not null,
    reported_at timestamptz not null,
    primary key (organisation_id, project_id, domain, source, tool, scope, part),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
];

/**
 * The lists' order: known exploited, then tier, EPSS, severity, rule and name. The id only separates what is the same in all
 * of these. Texts are cut, since an entry of an index has room for 2,700 bytes; a source alone may have 2,048 characters.
 */
const worstFirst = '(kev_added is null), tier_rank, probability desc, severity_rank, sort_name, id';
const listOrder = [
  `alter table findings add column sort_name text collate "C" generated always as (
    left(rule_id, 100) || ' ' || left(coalesce(details #>> '{package,name}', details ->> 'file', title), 100)
      || ' ' || left(coalesce(details ->> 'path', ''), 100)
  ) stored`,
  'drop index findings_worst_first',
  'drop index findings_of_severity',
  'drop index findings_of_source',
  `create index findings_worst_first on findings (organisation_id, project_id, domain, state_rank, ${worstFirst})`,
  `create index findings_of_severity on findings (organisation_id, project_id, domain, severity, state_rank, ${worstFirst})`,
  `create index findings_of_source on findings (organisation_id, project_id, domain, md5(source), state_rank, ${worstFirst})`,
];

const operations = ['insert', 'update', 'delete'];

const stopCounting = ['alerts', 'findings'].flatMap((table) =>
  operations.flatMap((operation) => [
    `drop trigger count_${operation} on ${table}`,
    `drop function count_${table}_${operation}()`,
  ]),
);

const windows = [
  turn,
  'delete from posture_days',
  `alter table posture_days drop column arrived, drop column departed, add column appeared bigint not null,
    add column reopened bigint not null, add column resolved bigint not null, add column net bigint not null`,
  countWindows(`'dependencies'`)([['alerts', '+']]),
  countWindows('domain')([['findings', '+']]),
];

const startCounting = (schema: string) => [
  ...countingTriggers(schema, 'alerts', [countAlerts, countWindows(`'dependencies'`)]),
  ...countingTriggers(schema, 'findings', [countFindings, countWindows('domain')]),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  for (const { schema } of rows) {
    const statements = [...stopCounting, ...sightings, ...listOrder, ...windows, ...startCounting(schema)];
    for (const statement of statements) await sql.raw(statement).execute(db);
  }
  await protectTenantTable(db, 'newest_reports', 'select, insert, update, delete');
}
