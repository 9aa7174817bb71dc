import { type Kysely, sql } from 'kysely';

/** The list of a caller's projects, as `,a,b,`; without a list it is empty or null. */
const projectIds = `current_setting('postern.project_ids', true)`;

/**
 * True of a transaction that is bound to no projects. The planner cannot estimate a condition without columns: it takes `<>`
 * for nearly always true and `=` for nearly always false. So this form keeps its estimates for all other callers. The
 * sub-select runs once a query, not once a row.
 */
const isFree = `(select left(coalesce(${projectIds}, ''), 1)) <> ','`;

/** By a sub-select, which is hashed once a query: a list of thousands would be searched for each row. */
const isNamed = (column: string) => `${column} in (select unnest(string_to_array(${projectIds}, ',')))`;

/** A rule for callers that are bound to projects; all others pass. Policies that are restrictive narrow the others. */
const ruleOf = (condition: string) => `using (${isFree} or ${condition}) with check (${isFree} or ${condition})`;

async function restrict(db: Kysely<unknown>, table: string, condition: string): Promise<void> {
  await sql
    .raw(`create policy bound_key on ${table} as restrictive to postern_tenant ${ruleOf(condition)}`)
    .execute(db);
}

const ofProjects = (table: string) => isNamed(table === 'projects' ? 'id' : 'project_id');

/** A table whose rows belong to projects: a transaction that is bound to some sees and writes only theirs. */
export async function bindToProjects(db: Kysely<unknown>, table: string): Promise<void> {
  await restrict(db, table, ofProjects(table));
}

/** Writes the rules of tables whose rows belong to projects as they are written here. */
export async function rewriteRules(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_policies
    where schemaname = current_schema() and policyname = 'bound_key' and qual like '%string_to_array%' order by 1`.execute(
    db,
  );
  for (const { name } of rows) {
    await sql.raw(`alter policy bound_key on ${name} ${ruleOf(ofProjects(name))}`).execute(db);
  }
}

/** A table whose rows belong to those of another one, as deliveries to webhooks. */
export async function bindToRowsOf(db: Kysely<unknown>, table: string, column: string, other: string): Promise<void> {
  const same = `${other}.organisation_id = ${table}.organisation_id and ${other}.id = ${table}.${column}`;
  await restrict(db, table, `exists (select from ${other} where ${same})`);
}

/** A table about people and credentials: it is empty for a transaction that is bound to projects. */
export async function hideFromBoundKeys(db: Kysely<unknown>, table: string): Promise<void> {
  await restrict(db, table, 'false');
}

/**
 * The groups of projects: a transaction that is bound to some sees those that they are in, and changes none. A function with its owner's
 * rights finds them, because a policy cannot ask its own table for the group that a group is in.
 */
export async function bindToGroups(db: Kysely<unknown>, table: string, schema: string): Promise<void> {
  const organisation = `nullif(current_setting('postern.organisation_id', true), '')`;
  const statements = [
    `create function groups_of_bound() returns text[] language plpgsql stable security definer
      set search_path = ${schema}, pg_temp as $$
      begin
        return array(
          select unnest(array[held.id, held.parent_id]) from projects
          join ${table} as held on held.organisation_id = projects.organisation_id and held.id = projects.group_id
          where projects.organisation_id = ${organisation} and projects.removed_at is null
            and projects.id = any (string_to_array(${projectIds}, ','))
        );
      end $$`,
    'revoke execute on function groups_of_bound from public',
    'grant execute on function groups_of_bound to postern_tenant',
    `create policy bound_key on ${table} as restrictive to postern_tenant
      using (${isFree} or id = any ((select groups_of_bound())::text[])) with check (${isFree})`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
