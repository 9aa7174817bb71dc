import { type Kysely, sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { countFindingsBySet, countSetTurns } from './change-set-counts.js';
import { countAlerts, countingTriggers, ofKeptProject } from './count-triggers.js';
import { protectTenantTable } from './protect-tenant-table.js';
import { countWindows } from './window-counts.js';

/** Tables whose rows may belong to a change set, with the columns of their keys. What is removed may come again: hence the mark. */
const versioned = {
  findings: { primary: 'organisation_id, id', unique: 'organisation_id, project_id, domain, source, tool, identity' },
  container_images: { primary: 'organisation_id, id', unique: 'organisation_id, project_id, ref' },
  tech_stack_items: {
    primary: 'organisation_id, id',
    unique: 'organisation_id, project_id, source, ecosystem, package_name, version',
  },
  unmatched_components: { primary: 'organisation_id, project_id, source, key', unique: null },
  reported_vulnerabilities: { primary: 'organisation_id, id', unique: null },
} as const;

const organisation = `nullif(current_setting('postern.organisation_id', true), '')`;

/**
 * The sets of the organisation that have not landed, besides the transaction's own. A function plans its query once a
 * connection; written into the policies, it would be planned twice for every table of every statement.
 */
const hiddenSets = (schema: string) => `create function hidden_sets() returns bigint[] language plpgsql stable as $$
  begin
    return array(
      select id from ${schema}.change_sets
      where organisation_id = ${organisation} and state <> 'landed' and id <> ${schema}.own_change_set()
    );
  end $$`;

/** Read once for each statement. */
const hidden = '(select hidden_sets())::bigint[]';

/**
 * A row is there when the set that added it has landed, and the one that removed it has not. Written as `case`, because
 * the planner expects half of the rows to pass that. It would expect none of a comparison with a list that it does not know.
 */
const isThere = `case when added_in = 0 and removed_in = 0 then true
  else added_in <> all (${hidden}) and (removed_in = 0 or removed_in = any (${hidden})) end`;

const changeSets = [
  // Since then the project is gone for everybody, and its rows are being removed: see 0022.
  'alter table projects add column removed_at timestamptz',
  `create table change_sets (
    organisation_id text not null,
    id bigint not null generated always as identity,
    project_id text not null,
    state text not null check (state in ('waiting', 'open', 'undoing', 'landed')),
    lease_until timestamptz not null,
    primary key (organisation_id, id),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
  // One landing a project at a time.
  `create unique index change_sets_under_way on change_sets (organisation_id, project_id) where state in ('open', 'undoing')`,
  'create index change_sets_of_project on change_sets (organisation_id, project_id, id)',
  // The set of this transaction; 0 where it has none.
  `create function own_change_set() returns bigint language sql stable as
    $$ select coalesce(nullif(current_setting('postern.change_set', true), '')::bigint, 0) $$`,
  // What a row that is inserted gets: the set, or the number of a landing in one transaction, which needs no set.
  `create function own_version() returns bigint language sql stable as
    $$ select coalesce(nullif(current_setting('postern.version', true), '')::bigint, own_change_set()) $$`,
];

function withMarks(table: keyof typeof versioned, uniqueConstraint: string | undefined): string[] {
  const { primary, unique } = versioned[table];
  const statements = [
    `alter table ${table} add column added_in bigint not null default 0, add column removed_in bigint not null default 0`,
    `alter table ${table} alter column added_in set default own_version()`,
    `alter table ${table} drop constraint ${table}_pkey, add primary key (${primary}, added_in)`,
    `create index ${table}_removed on ${table} (removed_in) where removed_in <> 0`,
    `drop policy own_rows on ${table}`,
    `create policy own_rows on ${table} to postern_tenant
      using (organisation_id = ${organisation} and ${isThere}) with check (organisation_id = ${organisation})`,
  ];
  if (unique !== null && uniqueConstraint !== undefined) {
    statements.push(
      `alter table ${table} drop constraint ${uniqueConstraint}`,
      `create unique index ${table}_once on ${table} (${unique}) where removed_in = 0`,
    );
  }
  return statements;
}

/** Counts of what a set changes have rows of their own, which are seen when the set has landed. Readers add them up. */
function countedBySet(table: string, key: string): string[] {
  const isCounted = `case when change_set = 0 then true else change_set <> all (${hidden}) end`;
  return [
    `alter table ${table} add column change_set bigint not null default 0`,
    `alter table ${table} drop constraint ${table}_pkey, add primary key (${key}, change_set)`,
    `create index ${table}_of_set on ${table} (change_set) where change_set <> 0`,
    `drop policy own_rows on ${table}`,
    `create policy own_rows on ${table} to postern_tenant
      using (organisation_id = ${organisation} and ${isCounted}) with check (organisation_id = ${organisation})`,
  ];
}

// The number of a landing in one transaction.
const numbers = 'grant usage on sequence change_sets_id_seq to postern_tenant';

const counts = [
  ...countedBySet('posture_counts', 'organisation_id, domain, source, project_id, state, tier, severity, band'),
  ...countedBySet('posture_days', 'organisation_id, domain, day, project_id, tier'),
];

const operations = ['insert', 'update', 'delete'];

const stopCounting = ['alerts', 'findings'].flatMap((table) =>
  operations.flatMap((operation) => [
    `drop trigger count_${operation} on ${table}`,
    `drop function count_${table}_${operation}()`,
  ]),
);

/**
 * An upload confirms most findings as they were. That is kept once for all of a seer, so that these are not written. Where
 * the hash of the facts is equal, they are the same.
 */
const confirmations = [
  `create table last_reports (
    organisation_id text not null,
    project_id text not null,
    domain text not null,
    source text not null,
    tool text not null,
    scope text[] not null,
    reported_at timestamptz not null,
    primary key (organisation_id, project_id, domain, source, tool, scope),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
  'alter table findings add column facts_hash bytea',
];

/** Counts now have the set in their key. */
const counted = { key: ', change_set', living: ofKeptProject };

const startCounting = (schema: string) => [
  ...countingTriggers(schema, 'alerts', [
    (rows) => countAlerts(rows, counted),
    countWindows(`'dependencies'`, counted),
  ]),
  ...countingTriggers(schema, 'findings', [countFindingsBySet, countSetTurns]),
];

/** A name belongs to a version of a finding. */
const names = (schema: string) => {
  const remove = `delete from finding_names where organisation_id = old.organisation_id and name = any (old.named)
    and finding_id = old.id and added_in = old.added_in;`;
  const bodies = {
    insert: `insert into finding_names (organisation_id, name, finding_id, added_in)
      select organisation_id, unnest(named), id, added_in from new_rows where named <> '{}' on conflict do nothing;`,
    update: `${remove} insert into finding_names (organisation_id, name, finding_id, added_in)
      select new.organisation_id, unnest(new.named), new.id, new.added_in on conflict do nothing;`,
    delete: remove,
  };
  return [
    'alter table finding_names add column added_in bigint not null default 0',
    `alter table finding_names drop constraint finding_names_pkey,
      add primary key (organisation_id, name, finding_id, added_in)`,
    ...Object.entries(bodies).map(
      ([operation, body]) => `create or replace function name_findings_${operation}() returns trigger language plpgsql
        security definer set search_path = ${escapeIdentifier(schema)}, pg_temp as $$ begin ${body} return null; end $$`,
    ),
  ];
};

const tables = [
  'findings',
  'container_images',
  'tech_stack_items',
  'unmatched_components',
  'reported_vulnerabilities',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  const uniques = await sql<{ table: string; name: string }>`
    select relname as table, quote_ident(conname) as name from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'u' and connamespace = current_schema()::regnamespace`.execute(db);
  for (const statement of [...changeSets, ...confirmations]) await sql.raw(statement).execute(db);
  for (const { schema } of rows) await sql.raw(hiddenSets(escapeIdentifier(schema))).execute(db);
  for (const table of ['change_sets', 'last_reports']) {
    await protectTenantTable(db, table, 'select, insert, update, delete');
  }
  await sql.raw(numbers).execute(db);
  for (const table of tables) {
    const unique = uniques.rows.find((each) => each.table === table)?.name;
    for (const statement of withMarks(table, unique)) await sql.raw(statement).execute(db);
  }
  for (const { schema } of rows) {
    const statements = [...stopCounting, ...counts, ...startCounting(schema), ...names(schema)];
    for (const statement of statements) await sql.raw(statement).execute(db);
  }
}
