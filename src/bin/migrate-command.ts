import { existsSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import type { Environment } from '../env.js';
import { requireDatabase } from '../service/backup/database-files.js';
import { moveDatabase } from '../service/db/move/move-database.js';
import { openDatabase } from '../service/db/open.js';
import { formatCount } from '../shared/text/number-text.js';
import { inDataFolder } from './data-folder.js';
import { reporting } from './reporting.js';

/** `postern migrate --to DATABASE_URL`. Settings are read when it runs. */
export function migrateCommand(settings: () => Environment): Command {
  return new Command('migrate')
    .description('copy the embedded database to an empty database on a PostgreSQL server; stop the server first')
    .requiredOption('--to <url>', 'postgres://user:password@host:5432/database')
    .action(({ to }: { to: string }) => reporting('migrate', () => move(settings(), to)));
}

async function move(environment: Environment, databaseUrl: string): Promise<void> {
  const { DATA_DIR: dataDir } = environment;
  requireDatabase(dataDir);
  // A running server's next writes would be lost: its lock refuses this process.
  const from = await inDataFolder(dataDir, () => openDatabase({ dataDir }));
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new Error('interrupted; nothing was written'));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const onTable = ({ name, rows }: { name: string; rows: number }) => {
      process.stdout.write(`  ${name.padEnd(28)}${formatCount(rows).padStart(12)}\n`);
    };
    const moved = await moveDatabase({ from, databaseUrl, onTable, signal: interrupted.signal });
    const rows = moved.reduce((sum, table) => sum + table.rows, 0);
    process.stdout.write(
      `Moved ${formatCount(rows)} rows of ${moved.length} tables; the content of each was compared and is equal.\n`,
    );
    process.stdout.write(`${nextSteps(environment)}\n`);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    await from.close();
  }
}

/** What the instances need besides: keys that the embedded database has in its folder. They are named and never shown. */
function nextSteps({ DATA_DIR, SECRETS_KEY, JWT_SECRET }: Environment): string {
  const file = (name: string) => path.join(DATA_DIR, name);
  const keyOf = (variable: string, isSet: boolean, name: string) =>
    isSet || !existsSync(file(name)) ? `  ${variable} as it is now` : `  ${variable}: the content of ${file(name)}`;
  return [
    'Set for all instances:',
    '  DATABASE_URL: what you gave as --to',
    `${keyOf('SECRETS_KEY', SECRETS_KEY !== undefined, 'secrets.key')} (without it they do not start)`,
    `${keyOf('JWT_SECRET', JWT_SECRET !== undefined, 'jwt.key')} (without it all sessions end)`,
    `${file('database')} is as it was, and is no longer used.`,
  ].join('\n');
}
