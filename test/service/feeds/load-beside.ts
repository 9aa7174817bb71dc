import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database, Transaction } from '../../../src/service/db/database.js';
import type { FeedKind } from '../../../src/service/feeds/feed.js';
import { loadFeed } from '../../../src/service/feeds/load.js';
import { reconcileWith } from '../../../src/service/feeds/load-context.js';
import { kind } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { gate } from '../../support/posture-service.js';
import { stepped } from '../landing/code-reports.js';
import { feedFile } from './feed-files.js';

/** A database that calls back before each commit of a tenant's transaction. */
export function held(database: Database, beforeCommit: (tx: Transaction) => Promise<void>): Database {
  return {
    ...stepped(database, async () => {}),
    oneTransactionMs: database.oneTransactionMs,
    tenant: (tenant, work, options) =>
      database.tenant(
        tenant,
        async (tx) => {
          const result = await work(tx);
          await beforeCommit(tx);
          return result;
        },
        options,
      ),
  };
}

/** Loads a file as the daily sync does. `written` when its rows are there, and the alerts may still have to follow. */
export async function startLoad(database: Database, feed: FeedKind, name: string, content: string) {
  const file = await feedFile(name, content);
  const reconcile = reconcileWith(database);
  const written = gate();
  const ended = loadFeed(
    {
      database,
      reconcile: (touched) => {
        written.open();
        return reconcile(touched);
      },
    },
    { kind: feed, file, part: name, onBad: 'refuse', validator: null },
  );
  return { ended, written: Promise.race([written.opened, ended]) };
}

/** The embedded database runs one transaction at a time: there a load always waits. */
export async function writtenOrWaiting(database: Database, written: Promise<unknown>): Promise<void> {
  if (kind === 'embedded') return;
  let isWritten = false;
  const settled = written.then(() => {
    isWritten = true;
  });
  const waits = eventually(async () => {
    const { rows } = await database.system((tx) =>
      sql`select from pg_locks join pg_database on pg_database.oid = pg_locks.database
        where datname = current_database() and locktype = 'advisory' and not granted`.execute(tx),
    );
    expect(isWritten || rows.length > 0).toBe(true);
  });
  await Promise.race([settled, waits]);
}
