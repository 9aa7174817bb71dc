import { sql } from 'kysely';
import type { Database } from '../db/database.js';
import { type Job, type JobRun, withoutRunner } from '../jobs/job.js';
import type { SetKey } from './change-set.js';
import { sweepSet } from './sweep-set.js';
import { undoSet } from './undo-set.js';

const intervalMs = 5_000;

/** Sets of a run of this process that has ended. Only right where no other process has the database open. */
export function unfinishedSets(database: Database): Promise<SetKey[]> {
  return readSets(database, sql`state <> 'landed'`);
}

/** Tidies after landings: sweeps those that have landed, undoes those whose writers are gone. */
export async function tidyLandings(database: Database, { stopping, done }: JobRun = withoutRunner): Promise<void> {
  for (const set of await readSets(database, sql`state <> 'landed' and lease_until < now()`)) {
    if (stopping.aborted) return;
    await undoSet(database, set);
    done(1);
  }
  for (const set of await readSets(database, sql`state = 'landed'`)) {
    if (stopping.aborted) return;
    await sweepSet(database, set);
    done(1);
  }
}

/** Undoes `unfinished` at once, and tidies after landings. It counts sets. */
export function landingsJob(database: Database, unfinished: readonly SetKey[]): Job {
  const left = [...unfinished];
  return {
    ...{ name: 'landings', everyMs: intervalMs, firstMs: left.length > 0 ? 0 : intervalMs, shared: 'one_instance' },
    failure: 'an upload could not be tidied up',
    async run(run) {
      for (let set = left.shift(); set !== undefined; set = left.shift()) {
        await undoSet(database, set);
        run.done(1);
        if (run.stopping.aborted) return;
      }
      await tidyLandings(database, run);
    },
  };
}

/** Sets of all organisations: only the system sees them. */
function readSets(database: Database, condition: ReturnType<typeof sql>): Promise<SetKey[]> {
  return database.system(async (tx) => {
    const { rows } = await sql<SetKey>`
      select organisation_id as "organisationId", id from change_sets where ${condition} order by id limit 1000`.execute(
      tx,
    );
    return rows;
  });
}
