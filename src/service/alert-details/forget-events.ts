import { sql } from 'kysely';
import { historyDays } from '../alerts/history-events.js';
import type { Database } from '../db/database.js';
import { recheck } from '../db/scope.js';
import { Pace } from '../jobs/pace.js';
import { type Repeated, repeat } from '../jobs/repeat.js';

const intervalMs = 60 * 60 * 1000;

/** Deletes events of alerts that are older than 400 days, every hour for as long as the service runs. */
export function startForgetting(database: Database, onError: (error: unknown) => void): Repeated {
  return repeat(intervalMs, (stopping) => forgetEvents(database, new Date(), stopping), onError);
}

/** In short transactions; answers how many. Safe to repeat, also by two processes at once. */
export async function forgetEvents(database: Database, now: Date, stopping?: AbortSignal): Promise<number> {
  const before = new Date(now.getTime() - historyDays * 24 * 60 * 60 * 1000);
  const pace = new Pace({ first: 500, least: 250 });
  let total = 0;
  for (;;) {
    if (stopping?.aborted === true) return total;
    const forgotten = await database.system((tx) =>
      pace.measure(pace.rows, async () => {
        const { numAffectedRows = 0n } = await sql`
          delete from alert_events where ctid = any (array(
            select ctid from alert_events where at < ${before} order by at limit ${pace.rows}
          )) and ${recheck(sql`at < ${before}`)}`.execute(tx);
        return Number(numAffectedRows);
      }),
    );
    if (forgotten === 0) return total;
    total += forgotten;
  }
}
