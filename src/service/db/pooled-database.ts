import type { QueryCreator } from 'kysely';
import type { Pool } from 'pg';
import type { Database, ReadOptions, SharedDatabase, Tenant, TenantOptions, Transaction } from './database.js';
import type { PoolKnowledge } from './held-client.js';
import type { Schema } from './schema.js';
import { type Opening, queriesOf, Session } from './session.js';
import type { Lane, TransactionTurns } from './transaction-turns.js';
import { markTenant, type Openings, openingsWith, retrying, type TransactionSettings } from './transactions.js';

interface PooledDatabaseOptions {
  readonly pool: Pool;
  readonly turns: TransactionTurns;
  readonly close: () => Promise<void>;
  readonly share: () => SharedDatabase;
  /** No other process changes keys, sessions, members and organisations. */
  readonly isAlone: boolean;
  /**
   * Waits until the thread has time for the answer to a statement. Absent where there is one connection, and so one answer at a time:
   * it would stand idle meanwhile.
   */
  readonly nextTurn?: (lane: Lane) => Promise<void> | undefined;
  /** By default 8,000: less than the 10 s that a call through the gateway has. */
  readonly requestWaitMs?: number | undefined;
  /** By default 100. */
  readonly oneTransactionMs?: number | undefined;
  /** Of every transaction. By default none. */
  readonly limits?: TransactionSettings;
}

/** A database over a pool of connections. */
export class PooledDatabase implements Database {
  readonly #pool: Pool;
  readonly #turns: TransactionTurns;
  readonly #knowledge: PoolKnowledge = { keepsNames: true };
  readonly #close: () => Promise<void>;
  readonly #share: PooledDatabaseOptions['share'];
  readonly requestWaitMs: number;
  readonly oneTransactionMs: number;
  readonly #isAlone: boolean;
  readonly #nextTurn: NonNullable<PooledDatabaseOptions['nextTurn']>;
  readonly #openings: Openings;
  #callersRevision = 0;
  #closed: Promise<void> | undefined;

  constructor(options: PooledDatabaseOptions) {
    const { pool, turns, close, share, requestWaitMs = 8_000, oneTransactionMs = 100, isAlone } = options;
    this.requestWaitMs = requestWaitMs;
    this.oneTransactionMs = oneTransactionMs;
    this.#share = share;
    this.#pool = pool;
    this.#turns = turns;
    this.#close = close;
    this.#isAlone = isAlone;
    this.#openings = openingsWith(options.limits ?? {});
    this.#nextTurn = options.nextTurn ?? (() => undefined);
  }

  tenant<T>(
    tenant: string | Tenant,
    work: (tx: Transaction) => Promise<T>,
    { changeSet = 0, maxWaitMs = Number.POSITIVE_INFINITY }: TenantOptions = {},
  ): Promise<T> {
    const whose = tenantOf(tenant);
    return this.#inSession(
      { lane: `organisation:${whose.organisationId}`, maxWaitMs },
      { opening: this.#openings.tenant(whose, changeSet), prepares: false },
      (tx) => {
        markTenant(tx, { changeSet, isBound: whose.projectIds !== null || whose.groupIds !== undefined });
        return work(tx);
      },
    );
  }

  read<T>(tenant: Tenant, work: (tx: Transaction) => Promise<T>, { maxWaitMs }: ReadOptions): Promise<T> {
    const session = { opening: this.#openings.read(tenant), prepares: true };
    return this.#inSession({ lane: `organisation:${tenant.organisationId}`, maxWaitMs }, session, work);
  }

  system<T>(work: (tx: Transaction) => Promise<T>, lane: Lane = 'background'): Promise<T> {
    return this.#inSession(this.#systemTurn(lane), { opening: this.#openings.system, prepares: false }, work);
  }

  statements<T>(work: (db: QueryCreator<Schema>) => Promise<T>, lane: Lane): Promise<T> {
    const session = { opening: this.#openings.statements, prepares: true };
    return this.#inSession(this.#systemTurn(lane), session, work);
  }

  #systemTurn(lane: Lane): Turn {
    const maxWaitMs = lane === 'background' ? Number.POSITIVE_INFINITY : this.requestWaitMs;
    return { lane, maxWaitMs, yields: lane === 'background' };
  }

  share(): SharedDatabase {
    return this.#share();
  }

  callersRevision(): number | null {
    return this.#isAlone ? this.#callersRevision : null;
  }

  readonly #onCallersChange = () => {
    this.#callersRevision += 1;
  };

  load(): { readonly running: number; readonly waiting: number } {
    return this.#turns.load;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #inSession<T>(turn: Turn, { opening, prepares }: SessionOptions, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return retrying(async () => {
      const endTurn = await this.#turns.acquire(turn.lane, turn);
      try {
        const session = new Session(await this.#pool.connect(), {
          opening,
          prepares: prepares ? this.#knowledge : null,
          onCallersChange: this.#onCallersChange,
          nextTurn: () => this.#nextTurn(turn.lane),
        });
        try {
          const result = await work(queriesOf(session));
          await session.commit();
          return result;
        } catch (error) {
          await session.rollback();
          throw error;
        } finally {
          await session.release();
        }
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

interface SessionOptions {
  readonly opening: Opening;
  readonly prepares: boolean;
}

function tenantOf(tenant: string | Tenant): Tenant {
  return typeof tenant === 'string' ? { organisationId: tenant, projectIds: null } : tenant;
}
