import { Pool, type PoolConfig } from 'pg';
import { typeParsers } from './type-parsers.js';

const seconds = 1000;

/** Connections of one instance to a PostgreSQL server. */
export const maxConnections = 10;

/** Connections of a thread of it that writes uploads. */
export const sharedConnections = 2;

/**
 * Settings of each transaction, in milliseconds where they are times. They are not sent as a connection starts:
 * pgbouncer refuses that, and would give what is set for a connection to other programs too.
 */
export const transactionLimits = {
  statement_timeout: String(60 * seconds),
  lock_timeout: String(15 * seconds),
  idle_in_transaction_session_timeout: String(300 * seconds),
} as const;

/** A pool for a PostgreSQL server. Errors never repeat `databaseUrl`, which may contain a password. */
export function openPostgres(databaseUrl: string, { max = maxConnections } = {}): Pool {
  const pool = new Pool({
    ...common(databaseUrl),
    max,
    idleTimeoutMillis: 30 * seconds,
  });
  // Servers may close idle connections. The pool opens a new one when it needs it.
  pool.on('error', () => {});
  return pool;
}

/** One connection without timeouts: a migration may wait for another process, or rewrite a large table. */
export function openPostgresForMigration(databaseUrl: string): Pool {
  const pool = new Pool({ ...common(databaseUrl), max: 1 });
  pool.on('error', () => {});
  return pool;
}

function common(databaseUrl: string): PoolConfig {
  if (!URL.canParse(databaseUrl) || !/^postgres(ql)?:$/.test(new URL(databaseUrl).protocol)) {
    throw new Error('DATABASE_URL is no PostgreSQL URL; expected postgres://user:password@host:5432/database.');
  }
  return {
    connectionString: databaseUrl,
    application_name: 'postern',
    connectionTimeoutMillis: 10 * seconds,
    keepAlive: true,
    allowExitOnIdle: true,
    types: typeParsers,
  };
}
