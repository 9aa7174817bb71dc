import { Kysely } from 'kysely';
import { escapeLiteral, type Pool } from 'pg';
import type { Database, Transaction } from './database.js';
import { poolDialect } from './dialect.js';
import type { Schema } from './schema.js';
import { inTransaction } from './transactions.js';

/** A database over a pool of connections. */
export class PooledDatabase implements Database {
  readonly #db: Kysely<Schema>;
  readonly #close: () => Promise<void>;
  readonly share: Database['share'];
  #closed: Promise<void> | undefined;

  constructor(pool: Pool, close: () => Promise<void>, share: Database['share']) {
    this.share = share;
    this.#db = new Kysely<Schema>({ dialect: poolDialect(pool) });
    this.#close = close;
  }

  /**
   * The settings last until the transaction ends. Compiling queries (`jit`) is off: it takes up to a second where the
   * planner expects many rows, longer than queries for one page take.
   */
  tenant<T>(organisationId: string, work: (tx: Transaction) => Promise<T>, changeSet = 0): Promise<T> {
    const settings = `set_config('postern.change_set', '${changeSet}', true), set_config('postern.organisation_id', ${escapeLiteral(organisationId)}, true), set_config('role', 'postern_tenant', true), set_config('jit', 'off', true)`;
    return this.#transact(`begin; select ${settings}`, work);
  }

  system<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transact('begin', work);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #transact<T>(opening: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return inTransaction(opening, () => this.#db.transaction().execute(work));
  }
}
