import { existsSync } from 'node:fs';
import path from 'node:path';
import { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { poolDialect } from '../../service/db/dialect.js';
import { openEmbedded } from '../../service/db/embedded/embedded.js';
import { lockFolder } from '../../service/db/embedded/folder-lock.js';
import { inspectDatabase } from '../../service/db/inspect-database.js';
import { openPostgresForMigration } from '../../service/db/postgres.js';
import type { Schema } from '../../service/db/schema.js';
import { unusableDatabase } from '../../service/db/unusable-database.js';
import { type FeedStatus, feedStatus, readStatus } from '../../service/feeds/feed-status.js';
import { requestStatus } from '../../service/feeds/remote-service.js';
import { type OperatorSettings, runningServiceOf } from '../database-or-service.js';
import { error, type Finding, ok, warning } from './finding.js';

const oldestServer = { number: 150_000, name: 'PostgreSQL 15' } as const;

/** The database and its feeds, read without changing them: the one of a running server by that server. */
export async function checkDatabase(settings: OperatorSettings): Promise<Finding[]> {
  try {
    const service = await runningServiceOf(settings);
    if (service !== null) {
      const feeds = await requestStatus(service);
      return [ok('database', `the server at ${service.url} has it open and reads it`), judgeFeeds(feeds)];
    }
    return await inPool(settings, lookInto);
  } catch (failure) {
    const known = unusableDatabase(failure);
    return [error('database', known instanceof Error ? known.message : 'it cannot be opened')];
  }
}

async function inPool(
  { dataDir, databaseUrl }: OperatorSettings,
  look: (pool: Pool) => Promise<Finding[]>,
): Promise<Finding[]> {
  if (databaseUrl !== undefined) {
    const pool = openPostgresForMigration(databaseUrl);
    return look(pool).finally(() => pool.end());
  }
  const folder = path.join(dataDir, 'database');
  if (!existsSync(path.join(folder, 'PG_VERSION'))) {
    return [ok('database', `there is none in ${dataDir} yet: the first start makes it`)];
  }
  // To open it would begin anew.
  if (existsSync(`${folder}.incomplete`)) {
    return [warning('database', 'its first start was broken off: the next one begins anew')];
  }
  const lock = lockFolder(dataDir);
  try {
    const { pool, close } = await openEmbedded(folder);
    try {
      return await look(pool);
    } finally {
      await pool.end();
      await close();
    }
  } finally {
    lock.release();
  }
}

async function lookInto(pool: Pool): Promise<Finding[]> {
  const found = await inspectDatabase(pool);
  const findings: Finding[] = [];
  if (found.versionNumber < oldestServer.number) {
    findings.push(error('database', `it is PostgreSQL ${found.version}: ${oldestServer.name} or newer is needed`));
  }
  if (found.unknown.length > 0) {
    findings.push(
      error('database', `a newer Postern has changed it (${found.unknown.join(', ')}): install that version`),
    );
  }
  if (found.isEmpty)
    findings.push(ok('database', `PostgreSQL ${found.version}, empty: the first start makes its schema`));
  else if (found.missing.length > 0) {
    const text = `the next start changes its schema (${found.missing.length} migrations, the last is ${found.missing.at(-1)})`;
    findings.push(warning('database', `${text}: make a backup before`));
  }
  if (found.unprotected.length > 0) {
    findings.push(
      error('database', `row-level security is off for ${found.unprotected.join(', ')}: tenants are not kept apart`),
    );
  }
  findings.push(...judgeRole(found));
  if (findings.length === 0) findings.push(ok('database', `PostgreSQL ${found.version}, at this version's schema`));
  if (found.missing.length > 0) return findings;
  const db = new Kysely<Schema>({ dialect: poolDialect(pool) });
  const status = await db.transaction().execute((tx) => readStatus(tx, new Date()));
  return [...findings, judgeFeeds(feedStatus.parse(status))];
}

function judgeRole({ tenantRole, mayCreateRoles }: Awaited<ReturnType<typeof inspectDatabase>>): Finding[] {
  const grant = 'GRANT postern_tenant TO the user of DATABASE_URL';
  switch (tenantRole) {
    case 'ready':
      return [];
    case 'bypasses':
      return [
        error(
          'database',
          'the role postern_tenant bypasses row-level security: ALTER ROLE postern_tenant NOSUPERUSER NOBYPASSRLS',
        ),
      ];
    case 'forbidden':
      return mayCreateRoles ? [] : [error('database', `its user may not use the role postern_tenant: ${grant}`)];
    case 'missing':
      return mayCreateRoles
        ? []
        : [error('database', `it has no role postern_tenant: CREATE ROLE postern_tenant NOLOGIN; ${grant}`)];
  }
}

/** Feeds that are missing or old make answers unknown; nothing breaks. */
export function judgeFeeds({ feeds, stale }: FeedStatus): Finding {
  const old = feeds.filter((feed) => feed.stale).map(({ name }) => name);
  if (feeds.length === 0) return warning('feeds', 'none is loaded: postern feeds sync');
  if (old.length > 0)
    return warning('feeds', `${old.join(', ')} are older than 7 days or incomplete: postern feeds sync`);
  return stale
    ? warning('feeds', 'advisories, EPSS or KEV were never loaded: postern feeds sync')
    : ok('feeds', `${feeds.length} are loaded and fresh`);
}
