import { escapeIdentifier, type Pool } from 'pg';

const intervalMs = 60_000;

/** Tables with enough changed rows by autovacuum's rules: a fifth to vacuum, a tenth to analyze, and at least 1,000. */
const due = `
  select relname as name from pg_stat_user_tables
  where n_dead_tup + n_ins_since_vacuum > 1000 + 0.2 * n_live_tup or n_mod_since_analyze > 1000 + 0.1 * n_live_tup
  order by relname`;

/**
 * Vacuums and analyzes tables, because the embedded database has no autovacuum process and would grow with every scan.
 * Requests run between two statements. Returns the tables' names.
 */
export async function vacuumDueTables(pool: Pool): Promise<string[]> {
  // A session publishes its statistics when it is idle, which this one never is, or when forced to.
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ name: string }>(due);
  for (const { name } of rows) {
    await pool.query(`vacuum ${escapeIdentifier(name)}`);
    await pool.query(`analyze ${escapeIdentifier(name)}`);
  }
  return rows.map(({ name }) => name);
}

/** Runs every minute until the answer is called. Ignores errors: the next run tries again. */
export function startUpkeep(pool: Pool): () => Promise<void> {
  let running = Promise.resolve();
  const run = async () => void (await vacuumDueTables(pool).catch(() => {}));
  const timer = setInterval(() => {
    running = running.then(run);
  }, intervalMs).unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}
