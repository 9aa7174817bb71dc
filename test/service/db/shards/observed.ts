import type { Database } from '../../../../src/service/db/database.js';
import { PooledDatabase } from '../../../../src/service/db/pooled-database.js';
import { openPostgres, transactionLimits } from '../../../../src/service/db/postgres.js';
import { turnsOfPool } from '../../../../src/service/db/transaction-turns.js';
import { oneTransactionAtATime } from '../../../support/one-transaction.js';
import { type Executed, readPlan } from './plans.js';

/** What the service asks a database, by the statement's text. */
export interface Observed {
  readonly database: Database;
  /** Whether its landings take many steps, as those of large uploads. */
  readonly inSteps: Database;
  /** Runs work whose statements are kept under a name. Other statements are not kept. */
  readonly during: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  readonly executions: ReadonlyMap<string, readonly Execution[]>;
  /** Modules of `src` that have worked as the system, who sees the rows of all organisations. */
  readonly systemModules: ReadonlySet<string>;
  readonly close: () => Promise<void>;
}

interface Execution extends Executed {
  readonly during: string;
}

/** Opens a database of `partitionByOrganisation`. */
export function observe(databaseUrl: string): Observed {
  const executions = new Map<string, Execution[]>();
  const systemModules = new Set<string>();
  let during: string | undefined;
  const pool = openPostgres(databaseUrl);
  pool.on('connect', (client) =>
    client.on('notice', ({ message }) => {
      const executed = during === undefined ? null : readPlan(message ?? '');
      if (executed === null || during === undefined) return;
      const known = executions.get(executed.statement) ?? [];
      executions.set(executed.statement, [...known, { ...executed, during }]);
    }),
  );
  const open = (oneTransactionMs: number) =>
    notingSystem(
      oneTransactionAtATime(
        new PooledDatabase({
          ...{ pool, oneTransactionMs, turns: turnsOfPool(10), limits: transactionLimits, isAlone: false },
          ...{
            requestWaitMs: 60_000,
            share: () => ({ kind: 'server', databaseUrl }),
            close: () => pool.end(),
          },
        }),
      ),
      (module) => during !== undefined && systemModules.add(module),
    );
  const database = open(60_000);
  return {
    database,
    inSteps: open(0),
    async during(name, work) {
      during = name;
      try {
        return await work();
      } finally {
        during = undefined;
      }
    },
    executions,
    systemModules,
    close: () => database.close(),
  };
}

/** Notes the modules of `src` on the stack where work as the system begins. */
function notingSystem(database: Database, note: (module: string) => void): Database {
  const noted = () => {
    for (const [, module = ''] of (new Error().stack ?? '').matchAll(/\/(src\/[\w/-]+\.ts)\b/g)) note(module);
  };
  return {
    ...database,
    system(work, lane) {
      noted();
      return database.system(work, lane);
    },
    statements(work, lane) {
      noted();
      return database.statements(work, lane);
    },
  };
}
