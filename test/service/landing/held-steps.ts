import { existsSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { openDatabase } from '../../../src/service/db/open.js';
import { openPostgres } from '../../../src/service/db/postgres.js';
import { eventually } from '../../support/eventually.js';
import type { ProgramSetting } from './running-program.js';

/**
 * Steps of an upload at which the database holds it: a trigger sleeps there, so the program needs no hook for tests. Each is
 * for the one project of that name.
 */
const triggers = {
  // The job is known. On a server its process is held too, before it writes.
  received: [
    ['uploads', 'before update', 'row', `old.state = 'queued' and new.state = 'running'`, 'new.project_id'],
    ['change_sets', 'before insert', 'row', 'true', 'new.project_id'],
  ],
  parsed: [['change_sets', 'before insert', 'row', 'true', 'new.project_id']],
  // The first row that another is to replace.
  'landing begun': [['findings', 'before update', 'row', 'old.removed_in = 0', 'new.project_id']],
  // With rows of a step before.
  'mid-landing': [['findings', 'before insert', 'statement', 'has_rows', 'own_project']],
  'before it shows': [['change_sets', 'before update', 'row', `new.state = 'landed'`, 'new.project_id']],
  'after it shows': [['findings', 'before delete', 'row', 'old.removed_in <> 0', 'old.project_id']],
} as const;

export type HeldStep = keyof typeof triggers;

export const heldSteps: readonly HeldStep[] = [
  'received',
  'parsed',
  'landing begun',
  'mid-landing',
  'before it shows',
  'after it shows',
];

const nameOf = (step: HeldStep, place = 0) => `held_${step.replaceAll(/\W/g, '_')}_${place}`;

/** The embedded database tells by a file that it holds, and holds once. A server tells by the connection's name. */
function holding(setting: ProgramSetting, step: HeldStep): string {
  if (setting.DATABASE_URL !== undefined) {
    return `perform set_config('application_name', '${nameOf(step)}', false); perform pg_sleep(600);`;
  }
  return `if pg_stat_file('${nameOf(step)}', true) is null then
      execute format('copy (select 1) to %L', current_setting('data_directory') || '/${nameOf(step)}');
      perform pg_sleep(600);
    end if;`;
}

/** Makes the triggers. The program must not run. */
export async function installHolds(setting: ProgramSetting): Promise<void> {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = setting;
  const database = await openDatabase(databaseUrl === undefined ? { dataDir } : { databaseUrl });
  await database.system(async (tx) => {
    for (const step of heldSteps) {
      for (const [place, [table, event, each, condition, project]] of triggers[step].entries()) {
        const name = nameOf(step, place);
        await sql
          .raw(`create function ${name}() returns trigger language plpgsql security definer set search_path from current as $$
            declare
              own_project text := (select project_id from change_sets where id = own_change_set());
              has_rows boolean := exists (select from findings where added_in = own_change_set());
            begin
              if (${condition}) and exists (select from projects where id = ${project} and name = '${step}') then
                ${holding(setting, step)}
              end if;
              return ${each === 'statement' ? 'null' : event === 'before delete' ? 'old' : 'new'};
            end $$`)
          .execute(tx);
        await sql
          .raw(`create trigger ${name} ${event} on ${table} for each ${each} execute function ${name}()`)
          .execute(tx);
      }
    }
  });
  await database.close();
}

/** Waits until the database holds an upload there. */
export async function isHeldAt({ DATA_DIR, DATABASE_URL }: ProgramSetting, step: HeldStep): Promise<void> {
  if (DATABASE_URL === undefined) {
    await eventually(() => expect(existsSync(path.join(DATA_DIR, 'database', nameOf(step)))).toBe(true));
    return;
  }
  await onServer(DATABASE_URL, (query) =>
    eventually(async () => {
      const held = `select from pg_stat_activity where application_name = $1 and wait_event = 'PgSleep'`;
      expect(await query(held, [nameOf(step)])).toBe(1);
    }),
  );
}

/** Ends what a server still does for a program that was killed, and holds nobody there again. */
export async function letGo({ DATABASE_URL }: ProgramSetting, step: HeldStep): Promise<void> {
  if (DATABASE_URL === undefined) return;
  await onServer(DATABASE_URL, async (query) => {
    const others = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
    await query(others, []);
    for (const place of triggers[step].keys()) await query(`drop function ${nameOf(step, place)} cascade`, []);
  });
}

/** Runs queries, which answer how many rows they give. */
async function onServer(
  url: string,
  work: (query: (text: string, values: string[]) => Promise<number | null>) => Promise<void>,
) {
  const pool = openPostgres(url, { max: 1 });
  try {
    await work(async (text, values) => (await pool.query(text, values)).rowCount);
  } finally {
    await pool.end();
  }
}
