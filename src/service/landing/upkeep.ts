import { sql } from 'kysely';
import type { Database } from '../db/database.js';
import { type Repeated, repeat } from '../jobs/repeat.js';
import type { SetKey } from './change-set.js';
import { sweepSet } from './sweep-set.js';
import { undoSet } from './undo-set.js';

const intervalMs = 5_000;

/** Sets of a run of this process that has ended. Only right where no other process has the database open. */
export function unfinishedSets(database: Database): Promise<SetKey[]> {
  return readSets(database, sql`state <> 'landed'`);
}

/** Tidies after landings: sweeps those that have landed, undoes those whose writers are gone. */
export async function tidyLandings(database: Database, stopping?: AbortSignal): Promise<void> {
  for (const set of await readSets(database, sql`state <> 'landed' and lease_until < now()`)) {
    if (stopping?.aborted === true) return;
    await undoSet(database, set);
  }
  for (const set of await readSets(database, sql`state = 'landed'`)) {
    if (stopping?.aborted === true) return;
    await sweepSet(database, set);
  }
}

/** Undoes `unfinished` at once, then tidies every few seconds. */
export function startLandingUpkeep(
  database: Database,
  unfinished: readonly SetKey[],
  onError: (error: unknown) => void,
): Repeated {
  const left = [...unfinished];
  const upkeep = repeat(
    intervalMs,
    async (stopping) => {
      for (let set = left.shift(); set !== undefined; set = left.shift()) {
        await undoSet(database, set);
        if (stopping.aborted) return;
      }
      await tidyLandings(database, stopping);
    },
    onError,
  );
  if (left.length > 0) upkeep.wake();
  return upkeep;
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
