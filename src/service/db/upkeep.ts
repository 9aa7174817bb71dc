import { escapeIdentifier, type Pool } from 'pg';

const intervalMs = 60_000;

/**
 * Tables where the rows that have changed since the last time are enough for autovacuum's own rule (a fifth, or a tenth
 * without new statistics) and for the half-second that it may take.
 */
const due = `
  select relname as name from pg_stat_user_tables
  where n_dead_tup + n_ins_since_vacuum > 1000 + 0.2 * n_live_tup or n_mod_since_analyze > 1000 + 0.1 * n_live_tup
  order by relname`;

/**
 * Frees the space of old rows and counts the new ones for the planner, table by table. The embedded database has no
 * process that does so by itself, and would grow with every scan. Requests go between the tables. Answers their names.
 */
export async function vacuumDueTables(pool: Pool): Promise<string[]> {
  // What a session has counted is told to others at most once a second, and else when it is idle, which this one never is.
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ name: string }>(due);
  for (const { name } of rows) await pool.query(`vacuum (analyze) ${escapeIdentifier(name)}`);
  return rows.map(({ name }) => name);
}

/** Looks every minute for as long as the database is open. What fails is tried again: a broken database shows elsewhere. */
export function startUpkeep(pool: Pool): { readonly stop: () => Promise<void> } {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => vacuumDueTables(pool)).catch(() => {});
  }, intervalMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
