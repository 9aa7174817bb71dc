import { type Kysely, sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { hideFromBoundKeys } from './bound-keys.js';
import { protectTenantTable } from './protect-tenant-table.js';

/** Characters of a title that are searched. */
const maxTitle = 200;

/** What has names: the table, and the query for the names of some of its rows. */
const sources: ReadonlyArray<readonly [table: string, names: (rows: string) => string]> = [
  [
    'tech_stack_items',
    (rows) => `select organisation_id, 'package', ecosystem, package_name, lower(package_name) from ${rows}`,
  ],
  [
    'findings',
    (
      rows,
    ) => `select organisation_id, 'rule', domain, rule_id, lower(rule_id || chr(10) || left(min(title), ${maxTitle}))
      from ${rows} group by organisation_id, domain, rule_id`,
  ],
  [
    'alerts',
    (rows) => `select organisation_id, 'vulnerability', vulnerability_id, named, lower(named) from ${rows}
      cross join lateral unnest(advisory_ids || vulnerability_id) as named`,
  ],
];

/** In one order, so that two transactions do not wait for each other. */
const insert = (select: string) => `
  insert into searched_names (organisation_id, kind, part, name, sought)
  select * from (select distinct * from (${select}) as named) as named (organisation_id, kind, part, name, sought)
  order by 1, 2, 3, 4 on conflict do nothing`;

/** A name that was once there stays: it costs little, and a search asks whether anything has it. */
const trigger = (schema: string, table: string, select: string) => [
  `create function name_${table}() returns trigger language plpgsql security definer set search_path = ${schema}, pg_temp
    as $$ begin ${insert(select)}; return null; end $$`,
  `create trigger name_rows after insert on ${table} referencing new table as new_rows
    for each statement execute function name_${table}()`,
];

const organisation = `nullif(current_setting('postern.organisation_id', true), '')`;

/**
 * The names of an organisation that contain a text, nearest first. It also reads those of projects that its caller does not
 * see: whoever asks must compare them with the rows that he sees.
 */
const names = (schema: string) => [
  `create function names_containing(of_kind text, needle text, max_names integer) returns table (part text, name text)
    language plpgsql stable security definer set search_path = ${schema}, pg_temp as $$
    begin
      return query select known.part, known.name from searched_names as known
        where organisation_id = ${organisation} and known.kind = of_kind
          and position(needle in known.sought) > 0
        order by known.sought <> needle, position(needle in known.sought) <> 1, length(known.name),
          known.name collate "C", known.part
        limit max_names;
    end $$`,
  'revoke execute on function names_containing from public',
  'grant execute on function names_containing to postern_tenant',
];

/**
 * A text within a text, in any case: row-level security lets no index serve that, because such operators are not leakproof. So
 * all names of an organisation are read. They are narrow here, and each is there once.
 */
const statements = (schema: string) => [
  `create table searched_names (
    organisation_id text not null references organisations on delete cascade,
    kind text not null check (kind in ('package', 'rule', 'vulnerability')),
    part text not null,
    name text not null,
    sought text not null,
    primary key (organisation_id, kind, part, name)
  )`,
  ...sources.flatMap(([table, names]) => [...trigger(schema, table, names('new_rows')), insert(names(table))]),
  ...names(schema),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  for (const { schema } of rows) {
    for (const statement of statements(escapeIdentifier(schema))) await sql.raw(statement).execute(db);
  }
  await protectTenantTable(db, 'searched_names', 'select');
  await hideFromBoundKeys(db, 'searched_names');
}
