import type { QueryCreator } from 'kysely';
import type { Pool } from 'pg';
import type {
  Database,
  ReadOptions,
  ReplicaReport,
  SharedDatabase,
  Tenant,
  TenantOptions,
  Transaction,
} from './database.js';
import { type Openings, openingsWith, type TransactionSettings } from './openings.js';
import type { Replica, Source } from './replica/replica.js';
import type { Schema } from './schema.js';
import { type Opening, queriesOf, Session } from './session.js';
import type { Lane, TransactionTurns } from './transaction-turns.js';
import { markTenant, retrying } from './transactions.js';

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
  readonly atOnceMs?: number | undefined;
  /** Of every transaction. By default none. */
  readonly limits?: TransactionSettings;
  /** Answers reads that may be late. By default there is none. */
  readonly replica?: Replica | undefined;
  /** Reads may go to a replica, of this instance or another one: so each organisation's last write is noted. By default false. */
  readonly notesWrites?: boolean;
}

/** How long a read waits for its turn at a replica, in milliseconds, before it waits for one at the primary. */
const maxReplicaWaitMs = 2_000;

/** A database over a pool of connections. */
export class PooledDatabase implements Database {
  readonly #source: Source;
  readonly #close: () => Promise<void>;
  readonly #share: PooledDatabaseOptions['share'];
  readonly requestWaitMs: number;
  readonly atOnceMs: number;
  readonly #isAlone: boolean;
  readonly #nextTurn: NonNullable<PooledDatabaseOptions['nextTurn']>;
  readonly #openings: Openings;
  readonly #replica: Replica | null;
  readonly #notesWrites: boolean;
  #callersRevision = 0;
  #closed: Promise<void> | undefined;

  constructor(options: PooledDatabaseOptions) {
    const { pool, turns, close, share, requestWaitMs = 8_000, atOnceMs = 100, isAlone } = options;
    this.requestWaitMs = requestWaitMs;
    this.atOnceMs = atOnceMs;
    this.#share = share;
    this.#source = { pool, turns, knowledge: { keepsNames: true } };
    this.#close = close;
    this.#isAlone = isAlone;
    this.#openings = openingsWith(options.limits ?? {});
    this.#nextTurn = options.nextTurn ?? (() => undefined);
    this.#replica = options.replica ?? null;
    this.#notesWrites = options.notesWrites ?? false;
  }

  tenant<T>(
    tenant: string | Tenant,
    work: (tx: Transaction) => Promise<T>,
    { changeSet = 0, maxWaitMs = Number.POSITIVE_INFINITY, seenLater = false }: TenantOptions = {},
  ): Promise<T> {
    const whose = tenantOf(tenant);
    return this.#inSession(
      { lane: `organisation:${whose.organisationId}`, maxWaitMs },
      {
        opening: this.#openings.tenant(whose, changeSet),
        prepares: false,
        notes: this.#notesWrites && !seenLater ? whose.organisationId : null,
      },
      (tx) => {
        markTenant(tx, { changeSet, isBound: whose.projectIds !== null || whose.groupIds !== undefined });
        return work(tx);
      },
    );
  }

  async read<T>(tenant: Tenant, work: (tx: Transaction) => Promise<T>, options: ReadOptions): Promise<T> {
    const { maxWaitMs, lastWrite } = options;
    const lane: Lane = `organisation:${tenant.organisationId}`;
    const session = { opening: this.#openings.read(tenant), prepares: true, notes: null };
    const answered = await this.#replica?.answer(lastWrite, (source) =>
      this.#inSession({ lane, maxWaitMs: Math.min(maxWaitMs, maxReplicaWaitMs) }, { ...session, source }, work),
    );
    return answered == null ? this.#inSession({ lane, maxWaitMs }, session, work) : answered.answer;
  }

  system<T>(work: (tx: Transaction) => Promise<T>, lane: Lane = 'background'): Promise<T> {
    return this.#inSession(
      this.#systemTurn(lane),
      { opening: this.#openings.system, prepares: false, notes: null },
      work,
    );
  }

  statements<T>(work: (db: QueryCreator<Schema>) => Promise<T>, lane: Lane): Promise<T> {
    const session = { opening: this.#openings.statements, prepares: true, notes: null };
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
    return this.#source.turns.load;
  }

  replica(): ReplicaReport | null {
    return this.#replica?.report() ?? null;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** What is committed stays so: a note that cannot be made is no error of the call. */
  async #noteWrite(session: Session, organisationId: string): Promise<void> {
    try {
      await session.afterwards(this.#openings.lastWrite(organisationId));
    } catch {
      this.#replica?.pause();
    }
  }

  #inSession<T>(
    turn: Turn,
    { opening, prepares, notes, source = this.#source }: SessionOptions,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    return retrying(async () => {
      const endTurn = await source.turns.acquire(turn.lane, turn);
      try {
        const session = new Session(await source.pool.connect(), {
          opening,
          prepares: prepares ? source.knowledge : null,
          onCallersChange: this.#onCallersChange,
          nextTurn: () => this.#nextTurn(turn.lane),
        });
        try {
          const result = await work(queriesOf(session));
          await session.commit();
          if (notes !== null && session.mayHaveWritten) await this.#noteWrite(session, notes);
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
  /** The organisation whose writes are noted; null: none are. */
  readonly notes: string | null;
  /** Absent: the primary. */
  readonly source?: Source;
}

function tenantOf(tenant: string | Tenant): Tenant {
  return typeof tenant === 'string' ? { organisationId: tenant, projectIds: null } : tenant;
}
