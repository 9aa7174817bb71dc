import { type Kysely, sql } from 'kysely';

/** The list of a key's projects, as `,a,b,`; without a list it is empty or null. */
const projectIds = `current_setting('postern.project_ids', true)`;

/**
 * True of a transaction that is bound to no projects. The planner cannot estimate a condition without columns: it takes `<>`
 * for nearly always true and `=` for nearly always false. So this form keeps its estimates for all other callers. The
 * sub-select runs once a query, not once a row.
 */
const isFree = `(select left(coalesce(${projectIds}, ''), 1)) <> ','`;

const isNamed = (column: string) => `${column} = any ((select string_to_array(${projectIds}, ','))::text[])`;

/** A rule for callers that are bound to projects; all others pass. Policies that are restrictive narrow the others. */
async function restrict(db: Kysely<unknown>, table: string, condition: string): Promise<void> {
  const rule = `${isFree} or ${condition}`;
  const policy = `create policy bound_key on ${table} as restrictive to postern_tenant`;
  await sql.raw(`${policy} using (${rule}) with check (${rule})`).execute(db);
}

/** A table whose rows belong to projects: a transaction that is bound to some sees and writes only theirs. */
export async function bindToProjects(db: Kysely<unknown>, table: string): Promise<void> {
  await restrict(db, table, isNamed(table === 'projects' ? 'id' : 'project_id'));
}

/** A table whose rows belong to those of another one, as deliveries to webhooks. */
export async function bindToRowsOf(db: Kysely<unknown>, table: string, column: string, other: string): Promise<void> {
  await restrict(db, table, hasRow(table, column, other));
}

/** The same from now on for a column that may be null: a bound transaction may add such rows, and does not see them. */
export async function letAddWithout(db: Kysely<unknown>, table: string, column: string, other: string): Promise<void> {
  const rule = `${isFree} or ${column} is null or ${hasRow(table, column, other)}`;
  await sql.raw(`alter policy bound_key on ${table} with check (${rule})`).execute(db);
}

function hasRow(table: string, column: string, other: string): string {
  const same = `${other}.organisation_id = ${table}.organisation_id and ${other}.id = ${table}.${column}`;
  return `exists (select from ${other} where ${same})`;
}

/** A table about people and credentials: it is empty for a transaction that is bound to projects. */
export async function hideFromBoundKeys(db: Kysely<unknown>, table: string): Promise<void> {
  await restrict(db, table, 'false');
}
