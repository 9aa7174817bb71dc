import { type RawBuilder, sql } from 'kysely';

/** One project, some of them, or the whole organisation. */
export interface Scope {
  readonly organisationId: string;
  readonly projectId?: string | undefined;
  /** The projects that count; undefined: all. */
  readonly among?: readonly string[] | undefined;
  /** Only projects whose row of `projects` meets it count; undefined: all. For more of them than may be named by their ids. */
  readonly meeting?: RawBuilder<boolean> | undefined;
}

/** The condition that a row belongs to the scope. A query of several tables names the one that is meant. */
export function inScope(scope: Scope, table?: string): RawBuilder<boolean> {
  const { organisationId, projectId, among, meeting } = scope;
  const column = (name: string) => sql.ref(table === undefined ? name : `${table}.${name}`);
  const ofProject = projectId === undefined ? sql`` : sql` and ${column('project_id')} = ${projectId}`;
  const ofSome = among === undefined ? sql`` : sql` and ${column('project_id')} = any (${[...among]}::text[])`;
  const ofThose = meeting === undefined ? sql`` : sql` and ${ofLivingProject({ organisationId, meeting }, table)}`;
  return sql<boolean>`${column('organisation_id')} = ${organisationId}${ofProject}${ofSome}${ofThose}`;
}

/** The condition that a row of `projects` is one of the scope's. */
export function isProjectOf({ organisationId, projectId, among, meeting }: Scope): RawBuilder<boolean> {
  const isIt = projectId === undefined ? sql`` : sql` and projects.id = ${projectId}`;
  const isOneOf = among === undefined ? sql`` : sql` and projects.id = any (${[...among]}::text[])`;
  const meets = meeting === undefined ? sql`` : sql` and ${meeting}`;
  return sql<boolean>`projects.organisation_id = ${organisationId}${isIt}${isOneOf}${meets}`;
}

/**
 * A condition for rows that are named by their `ctid`, which other partitions give to rows of others too. Written so that no
 * index answers it: the planner would compare each row that meets it with every `ctid`.
 */
export function recheck(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${condition}) is true`;
}

/** The condition that a row is the organisation's with this id. */
export function byId(organisationId: string, id: string): RawBuilder<boolean> {
  return sql<boolean>`organisation_id = ${organisationId} and id = ${id}`;
}

/**
 * Not of a project that was deleted, whose rows are being removed: what a query of a whole organisation must ask. In a scope of some
 * projects also that it is of one of them. Where these meet a condition it is written so that it stays a filter, which looks each row up
 * in a table of ids. The plan that a prepared statement has for all groups would else look for the project of each row.
 */
export function ofLivingProject({ organisationId, among, meeting }: Scope, table?: string): RawBuilder<boolean> {
  const project = sql.ref(table === undefined ? 'project_id' : `${table}.project_id`);
  const isOne = sql<boolean>`${project} in (select id from projects where ${isProjectOf({ organisationId, among, meeting })})`;
  return meeting === undefined ? isOne : sql<boolean>`(${isOne}) is true`;
}

/** As `inScope`, for the rows of a list: of a whole organisation it leaves out those of deleted projects. */
export function isListed(scope: Scope, table?: string): RawBuilder<boolean> {
  const { organisationId, projectId, meeting } = scope;
  if (projectId !== undefined || meeting !== undefined) return inScope(scope, table);
  return sql<boolean>`${inScope(scope, table)} and ${ofLivingProject({ organisationId }, table)}`;
}

/** The condition of a join: the column, as `webhooks.project_id`, holds the id of the other table's row. */
export function refersTo(column: `${string}.${string}`, other: string): RawBuilder<boolean> {
  const [table] = column.split('.');
  const isSameTenant = sql`${sql.ref(`${table}.organisation_id`)} = ${sql.ref(`${other}.organisation_id`)}`;
  return sql<boolean>`${isSameTenant} and ${sql.ref(column)} = ${sql.ref(`${other}.id`)}`;
}

/**
 * The condition that a row is there, for system transactions: to tenants, row-level security says so. A row is there when
 * the change set that added it has landed, and the one that removed it has not.
 */
export function isLanded(table: string): RawBuilder<boolean> {
  const [added, removed] = [sql.ref(`${table}.added_in`), sql.ref(`${table}.removed_in`)];
  const open = sql`array(select id from change_sets where state <> 'landed')`;
  return sql<boolean>`case when ${added} = 0 and ${removed} = 0 then true
    else ${added} <> all (${open}) and (${removed} = 0 or ${removed} = any (${open})) end`;
}
