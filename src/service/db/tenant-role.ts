import { type Kysely, sql } from 'kysely';
import { DatabaseError } from 'pg';

const insufficientPrivilege = '42501';

/**
 * Makes sure that the role of tenants' transactions exists and that this user may switch to it. Done at every start:
 * roles belong to the cluster and are not in a database's dump. Safe for two databases of a cluster at once.
 */
export async function prepareTenantRole(db: Kysely<unknown>): Promise<void> {
  const statement = sql.raw(`do $$ begin
    begin
      if not exists (select from pg_roles where rolname = 'postern_tenant') then create role postern_tenant nologin; end if;
    exception when duplicate_object or unique_violation then null;
    end;
    begin
      if not pg_has_role(current_user, 'postern_tenant', 'member') then grant postern_tenant to current_user; end if;
    -- internal_error: "tuple concurrently updated", where another database's start grants it at the same time.
    exception when duplicate_object or unique_violation or internal_error then null;
    end;
  end $$`);
  try {
    await statement.execute(db);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== insufficientPrivilege) throw error;
    throw new Error(
      'The database user may not use the role postern_tenant, which row-level security is bound to. Give it CREATEROLE, ' +
        'or let a superuser run once: CREATE ROLE postern_tenant NOLOGIN; GRANT postern_tenant TO the user of DATABASE_URL.',
      { cause: error },
    );
  }
}
