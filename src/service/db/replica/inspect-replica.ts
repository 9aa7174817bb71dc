import type { Pool } from 'pg';
import * as z from 'zod';
import { migrations } from '../migrations/index.js';
import { unusableDatabase } from '../unusable-database.js';
import { position } from './position.js';

/** Which database of which cluster. A standby has those of its primary. */
export interface Identity {
  /** PostgreSQL's system identifier. */
  readonly cluster: string;
  /** The database's number in the cluster. */
  readonly database: string;
}

/** Why a replica cannot be used at all; `other database` is a mistake in the setting. */
export type Fault = 'other database' | 'not a standby' | 'older schema' | 'no access' | 'unreachable';

const identity = `(select system_identifier::text from pg_control_system()) as cluster,
  (select oid::text from pg_database where datname = current_database()) as database`;

const primaryRow = z.tuple([z.object({ cluster: z.string(), database: z.string(), position })]);
const replicaRow = z.tuple([
  z.object({
    cluster: z.string(),
    database: z.string(),
    is_standby: z.boolean(),
    position: position.nullable(),
    has_migrations: z.boolean(),
  }),
]);
const readyRow = z.tuple([z.object({ has_schema: z.boolean(), has_role: z.boolean() })]);

/** What the primary has written to its log's file, which is all that a standby can have. */
export async function inspectPrimary(pool: Pool) {
  const { rows } = await pool.query(`select ${identity}, pg_current_wal_flush_lsn()::text as position`);
  return primaryRow.parse(rows)[0];
}

type ReplicaFindings =
  | { readonly fault: null; readonly position: z.output<typeof position> }
  | { readonly fault: Fault; readonly reason: string };

/** Never throws. A reason is a sentence that names the setting and repeats nothing secret. */
export async function inspectReplica(pool: Pool, primary: Identity): Promise<ReplicaFindings> {
  try {
    const { rows } = await pool.query(
      `select ${identity}, pg_is_in_recovery() as is_standby, pg_last_wal_replay_lsn()::text as position,
        to_regclass('kysely_migration') is not null as has_migrations`,
    );
    const [found] = replicaRow.parse(rows);
    if (found.cluster !== primary.cluster || found.database !== primary.database) return otherDatabase;
    if (!found.is_standby || found.position === null) return notStandby;
    if (!found.has_migrations) return olderSchema;
    const ready = await pool.query(readiness, [Object.keys(migrations).at(-1)]);
    const [{ has_schema, has_role }] = readyRow.parse(ready.rows);
    if (!has_schema) return olderSchema;
    return has_role ? { fault: null, position: found.position } : noAccess;
  } catch (error) {
    const known = unusableDatabase(error, 'READ_DATABASE_URL');
    return {
      fault: 'unreachable',
      reason: known instanceof Error ? known.message : 'READ_DATABASE_URL cannot be used',
    };
  }
}

const readiness = `select exists (select from kysely_migration where name = $1) as has_schema,
  pg_has_role(current_user, 'postern_tenant', 'member') as has_role`;

const otherDatabase: ReplicaFindings = {
  fault: 'other database',
  reason: 'READ_DATABASE_URL is another database than DATABASE_URL: name a streaming standby of the same cluster',
};
const notStandby: ReplicaFindings = {
  fault: 'not a standby',
  reason: 'READ_DATABASE_URL is no standby: it is the primary itself, or was promoted',
};
const olderSchema: ReplicaFindings = {
  fault: 'older schema',
  reason: 'the replica of READ_DATABASE_URL does not have this version’s schema yet',
};
const noAccess: ReplicaFindings = {
  fault: 'no access',
  reason:
    'the user of READ_DATABASE_URL may not use the role postern_tenant: GRANT postern_tenant TO it on the primary',
};

/** What is noted of another cluster's log, as after a dump was restored, would never be reached here. */
export async function forgetForeignPositions(primary: Pool): Promise<void> {
  await primary.query('delete from last_writes where position > pg_current_wal_insert_lsn()');
}
