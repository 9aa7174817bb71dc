import { Kysely, type QueryCreator } from 'kysely';
import { escapeLiteral, type Pool } from 'pg';
import { projectList } from './all-projects.js';
import type { Database, Tenant, TenantOptions, Transaction } from './database.js';
import { poolDialect } from './dialect.js';
import type { Schema } from './schema.js';
import type { Lane, TransactionTurns } from './transaction-turns.js';
import { type Beginning, inTransaction } from './transactions.js';

interface PooledDatabaseOptions {
  readonly pool: Pool;
  readonly turns: TransactionTurns;
  readonly close: () => Promise<void>;
  readonly share: Database['share'];
  /** By default 8,000: less than the 10 s that a call through the gateway has. */
  readonly requestWaitMs?: number | undefined;
  /** By default 100. */
  readonly atOnceMs?: number | undefined;
}

/** A database over a pool of connections. */
export class PooledDatabase implements Database {
  readonly #db: Kysely<Schema>;
  readonly #turns: TransactionTurns;
  readonly #close: () => Promise<void>;
  readonly share: Database['share'];
  readonly requestWaitMs: number;
  readonly atOnceMs: number;
  #closed: Promise<void> | undefined;

  constructor({ pool, turns, close, share, requestWaitMs = 8_000, atOnceMs = 100 }: PooledDatabaseOptions) {
    this.requestWaitMs = requestWaitMs;
    this.atOnceMs = atOnceMs;
    this.share = share;
    this.#db = new Kysely<Schema>({ dialect: poolDialect(pool) });
    this.#turns = turns;
    this.#close = close;
  }

  /**
   * The settings last until the transaction ends. Compiling queries (`jit`) is off: it takes up to a second where the
   * planner expects many rows, longer than queries for one page take.
   */
  tenant<T>(
    tenant: string | Tenant,
    work: (tx: Transaction) => Promise<T>,
    { changeSet = 0, maxWaitMs = Number.POSITIVE_INFINITY }: TenantOptions = {},
  ): Promise<T> {
    const { organisationId, projectIds } =
      typeof tenant === 'string' ? { organisationId: tenant, projectIds: null } : tenant;
    const settings = [
      ['postern.change_set', String(changeSet)],
      ['postern.organisation_id', organisationId],
      ...(projectIds === null ? [] : [['postern.project_ids', projectList(projectIds)]]),
      ['role', 'postern_tenant'],
      ['jit', 'off'],
    ].map(([name = '', value = '']) => `set_config('${name}', ${escapeLiteral(value)}, true)`);
    const turn: Turn = { lane: `organisation:${organisationId}`, maxWaitMs };
    const opening = `begin; select ${settings.join(', ')}`;
    return this.#transact(turn, { opening, tenant: { changeSet, projectIds } }, work);
  }

  system<T>(work: (tx: Transaction) => Promise<T>, lane: Lane = 'background'): Promise<T> {
    return this.#transact(this.#systemTurn(lane), { opening: 'begin' }, work);
  }

  statements<T>(work: (db: QueryCreator<Schema>) => Promise<T>, lane: Lane): Promise<T> {
    return this.#inTurn(this.#systemTurn(lane), { opening: '' }, () => work(this.#db));
  }

  #systemTurn(lane: Lane): Turn {
    const maxWaitMs = lane === 'background' ? Number.POSITIVE_INFINITY : this.requestWaitMs;
    return { lane, maxWaitMs, yields: lane === 'background' };
  }

  load(): { readonly running: number; readonly waiting: number } {
    return this.#turns.load;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #transact<T>(turn: Turn, beginning: Beginning, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#inTurn(turn, beginning, () => this.#db.transaction().execute(work));
  }

  #inTurn<T>(turn: Turn, beginning: Beginning, work: () => Promise<T>): Promise<T> {
    return inTransaction(beginning, async () => {
      const endTurn = await this.#turns.acquire(turn.lane, turn);
      try {
        return await work();
      } finally {
        endTurn();
      }
    });
  }
}

interface Turn {
  readonly lane: Lane;
  readonly maxWaitMs: number;
  readonly yields?: boolean;
}
