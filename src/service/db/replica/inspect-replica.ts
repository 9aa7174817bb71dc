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
export type Fault = 'other database' | 'not a standby' | 'older schema' | 'unreachable';

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
const schemaRow = z.tuple([z.object({ is_there: z.boolean() })]);

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
    if (!found.has_migrations || !(await hasSchema(pool))) return olderSchema;
    return { fault: null, position: found.position };
  } catch (error) {
    const known = unusableDatabase(error, 'READ_DATABASE_URL');
    return {
      fault: 'unreachable',
      reason: known instanceof Error ? known.message : 'READ_DATABASE_URL cannot be used',
    };
  }
}

async function hasSchema(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query('select exists (select from kysely_migration where name = $1) as is_there', [
    Object.keys(migrations).at(-1),
  ]);
  return schemaRow.parse(rows)[0].is_there;
}

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
