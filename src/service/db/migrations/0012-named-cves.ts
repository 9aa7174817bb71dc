import { type Kysely, sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { protectTenantTable } from './protect-tenant-table.js';

/** The same as `inText` in src/shared/vulnerability-id.ts, as it was when this was written. */
const idPattern =
  '\\m(?:CVE-[0-9]{4}-[0-9]{4,19}|GHSA(?:-[23456789CFGHJMPQRVWX]{4}){3}|(?:GO|PYSEC|RUSTSEC|MAL|OSV)-[0-9]{4}-[0-9]{1,19})\\M';

/** Ids as their databases spell them. */
const spelled = (id: string) =>
  `case when upper(${id}) like 'GHSA-%' then 'GHSA-' || lower(substr(${id}, 6)) else upper(${id}) end`;

/** Findings that were there before: the same as `vulnerabilitiesNamed` in src/service/findings. */
const fill = `
  update findings set named = found.ids
  from (
    select organisation_id, finding_id, array_agg(distinct id) as ids
    from (
      select organisation_id, id as finding_id, ${spelled('each')} as id, rule_id
      from findings cross join lateral jsonb_array_elements_text(
        case when jsonb_typeof(details -> 'cves') = 'array' then details -> 'cves' else '[]' end) as each
      where domain = 'containers'
      union all
      select organisation_id, id, ${spelled('found[1]')}, rule_id
      from findings cross join lateral regexp_matches(
        case when rule_id ~* '^(CVE|GHSA)-' then rule_id
          else concat_ws(' ', rule_id, title, (select string_agg(value, ' ') from jsonb_each_text(details))) end,
        '(${idPattern})', 'gi') as found
      where domain <> 'containers'
        and (rule_id || title || details::text) ~* '(CVE|GHSA|GO|PYSEC|RUSTSEC|MAL|OSV)-'
    ) as each
    where id <> rule_id
    group by organisation_id, finding_id
  ) as found
  where findings.organisation_id = found.organisation_id and findings.id = found.finding_id`;

const insert = (rows: string) => `
  insert into finding_names (organisation_id, name, finding_id)
  select organisation_id, unnest(named), id from ${rows} where named <> '{}'
  on conflict do nothing;`;

/**
 * Triggers that keep `finding_names` equal to the column `named`, whoever writes it. A new scan confirms most findings as
 * they were, so the one of updates is for single rows and says which ones. They run with their owner's rights, as those of
 * the counts do (count-triggers.ts).
 */
function triggers(schema: string): string[] {
  const trigger = (operation: string, when: string, body: string) => [
    `create function name_findings_${operation}() returns trigger language plpgsql security definer
      set search_path = ${escapeIdentifier(schema)}, pg_temp as $$ begin ${body} return null; end $$`,
    `create trigger name_${operation} after ${operation} on findings ${when} execute function name_findings_${operation}()`,
  ];
  return [
    ...trigger('insert', 'referencing new table as new_rows for each statement', insert('new_rows')),
    ...trigger(
      'update',
      'for each row when (old.named is distinct from new.named)',
      `delete from finding_names
        where organisation_id = old.organisation_id and name = any (old.named) and finding_id = old.id;
      insert into finding_names (organisation_id, name, finding_id)
        select new.organisation_id, unnest(new.named), new.id on conflict do nothing;`,
    ),
    ...trigger(
      'delete',
      `for each row when (old.named <> '{}')`,
      `delete from finding_names
        where organisation_id = old.organisation_id and name = any (old.named) and finding_id = old.id;`,
    ),
  ];
}

const statements = (schema: string) => [
  // Ids of vulnerabilities that a finding is about, besides its rule.
  `alter table findings add column named text[] not null default '{}'`,
  fill,
  // Row-level security uses an index for the equality of texts, and for no operator of lists. Hence a row for each name.
  `create table finding_names (
    organisation_id text not null,
    name text not null,
    finding_id text not null,
    primary key (organisation_id, name, finding_id)
  )`,
  insert('findings'),
  ...triggers(schema),
  'create index findings_of_rule on findings (organisation_id, rule_id)',
  // Whether any project of an organisation has a package that an advisory names.
  'create index tech_stack_items_of_organisation on tech_stack_items (organisation_id, ecosystem, package_name)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  for (const { schema } of rows) for (const statement of statements(schema)) await sql.raw(statement).execute(db);
  await protectTenantTable(db, 'finding_names', 'select');
}
