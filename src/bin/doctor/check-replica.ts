import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import { openPostgresForChecks } from '../../service/db/postgres.js';
import { inspectPrimary, inspectReplica } from '../../service/db/replica/inspect-replica.js';
import { error, type Finding, ok, warning } from './finding.js';

/** How long it waits for the replica to show where the primary is, and how often it looks, in milliseconds. */
const maxLagMs = 2_000;
const lookEveryMs = 20;

/** Whether reads can go to the replica of READ_DATABASE_URL. Only a wrong address keeps Postern from starting. */
export async function checkReplica(databaseUrl: string, readDatabaseUrl: string): Promise<Finding[]> {
  const primary = openPostgresForChecks(databaseUrl, 'DATABASE_URL');
  const replica = openPostgresForChecks(readDatabaseUrl, 'READ_DATABASE_URL');
  try {
    return [await compare(primary, replica)];
  } catch {
    // The check of the database says what is wrong with the primary.
    return [warning('replica', 'nothing is known of it, because the database of DATABASE_URL does not answer')];
  } finally {
    await Promise.all([primary.end(), replica.end()]);
  }
}

async function compare(primary: Pool, replica: Pool): Promise<Finding> {
  const startedAtMs = performance.now();
  const goal = await inspectPrimary(primary);
  for (;;) {
    const found = await inspectReplica(replica, goal);
    const lagMs = Math.round(performance.now() - startedAtMs);
    if (found.fault === 'other database') return error('replica', found.reason);
    if (found.fault !== null) return warning('replica', `${found.reason}; all reads go to the primary`);
    if (found.position >= goal.position) {
      return ok('replica', `it is a standby of the same cluster at this version's schema, at most ${lagMs} ms behind`);
    }
    if (lagMs > maxLagMs) {
      const bytes = goal.position - found.position;
      return warning(
        'replica',
        `it is ${bytes} bytes behind and more than ${maxLagMs} ms: all reads go to the primary`,
      );
    }
    await setTimeout(lookEveryMs);
  }
}
