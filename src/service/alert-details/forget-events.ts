import { sql } from 'kysely';
import { historyDays } from '../alerts/history-events.js';
import type { Database } from '../db/database.js';
import { recheck } from '../db/scope.js';
import { type Job, type JobRun, withoutRunner } from '../jobs/job.js';
import { untilDone } from '../jobs/pages.js';

const intervalMs = 60 * 60 * 1000;

/** Deletes events of alerts that are older than 400 days. */
export const forgetEventsJob = (database: Database): Job => ({
  ...{ name: 'old-events', everyMs: intervalMs, shared: 'one_instance', failure: 'old events could not be deleted' },
  run: (run) => forgetEvents(database, new Date(), run),
});

/** In short transactions; answers how many. Safe to repeat, also by two processes at once. */
export function forgetEvents(database: Database, now: Date, run: JobRun = withoutRunner): Promise<number> {
  const before = new Date(now.getTime() - historyDays * 24 * 60 * 60 * 1000);
  const forget = (rows: number) => sql`
    delete from alert_events where ctid = any (array(
      select ctid from alert_events where at < ${before} order by at limit ${rows}
    )) and ${recheck(sql`at < ${before}`)}`;
  return untilDone(database, { first: 500, least: 250 }, forget, run);
}
