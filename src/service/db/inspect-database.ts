import type { Pool } from 'pg';
import * as z from 'zod';
import { migrations } from './migrations/index.js';

/** What can be seen of a database without changing it. */
interface Inspection {
  /** As `15.18 (Debian …)`. */
  readonly version: string;
  /** As 150018. */
  readonly versionNumber: number;
  /** No Postern has started on it. */
  readonly isEmpty: boolean;
  /** Migrations of this version that it has not had. */
  readonly missing: readonly string[];
  /** Migrations that it has had, and that this version does not know. */
  readonly unknown: readonly string[];
  /** Tenants' tables without row-level security. */
  readonly unprotected: readonly string[];
  readonly tenantRole: 'missing' | 'forbidden' | 'bypasses' | 'ready';
  /** Whether this user may make the role where it is missing. */
  readonly mayCreateRoles: boolean;
}

const server = z.tuple([
  z.object({
    version: z.string(),
    number: z.coerce.number(),
    has_migrations: z.boolean(),
    role: z.enum(['missing', 'forbidden', 'bypasses', 'ready']),
    may_create: z.boolean(),
  }),
]);
const names = z.array(z.object({ name: z.string() }));

const aboutServer = `select current_setting('server_version') as version, current_setting('server_version_num') as number,
  to_regclass('kysely_migration') is not null as has_migrations,
  (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as may_create,
  coalesce((select case when rolbypassrls or rolsuper then 'bypasses'
    when pg_has_role(current_user, oid, 'member') then 'ready' else 'forbidden' end
    from pg_roles where rolname = 'postern_tenant'), 'missing') as role`;

const unprotectedTables = `select c.relname as name from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relrowsecurity
    and (c.relname = 'organisations' or exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organisation_id' and not a.attisdropped))
  order by 1`;

export async function inspectDatabase(pool: Pool): Promise<Inspection> {
  const [{ version, number, has_migrations, role, may_create }] = server.parse((await pool.query(aboutServer)).rows);
  const applied = has_migrations
    ? names.parse((await pool.query('select name from kysely_migration')).rows).map(({ name }) => name)
    : [];
  const known = Object.keys(migrations);
  return {
    version,
    versionNumber: number,
    isEmpty: !has_migrations,
    missing: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
    unprotected: names.parse((await pool.query(unprotectedTables)).rows).map(({ name }) => name),
    tenantRole: role,
    mayCreateRoles: may_create,
  };
}
