import type { Transaction as KyselyTransaction, QueryCreator } from 'kysely';
import type { Schema } from './schema.js';
import type { Lane, TransactionTurns } from './transaction-turns.js';

export type Transaction = KyselyTransaction<Schema>;

/** Whose rows a transaction sees: an organisation's, or of them only those of some projects. It is bound to these then. */
export interface Tenant {
  readonly organisationId: string;
  /** Null: all projects, and what belongs to none. */
  readonly projectIds: readonly string[] | null;
  /** Only the projects that are in these groups when the transaction begins; absent: they need be in none. */
  readonly groupIds?: readonly string[];
}

export interface TenantOptions {
  /** What is written belongs to this set, and is seen by transactions of the set alone until it lands (src/service/landing). */
  readonly changeSet?: number | undefined;
  /** How long the transaction may wait for its turn, in milliseconds; as long as it must where this is absent. */
  readonly maxWaitMs?: number;
}

export interface ReadOptions {
  readonly maxWaitMs: number;
}

/**
 * The only way to the data. `tenant` runs as a role that row-level security binds to one organisation. `system` runs as
 * the owner, for what belongs to no organisation: looking up credentials, and intelligence. None may be called
 * inside another, because the embedded database has one connection: the inner one would wait for itself. Throws `Refusal` where
 * the line before the database is longer than a transaction may wait.
 */
export interface Database {
  /**
   * Takes the organisation's turns.
   *
   * @param tenant an organisation's id, or a tenant
   */
  tenant<T>(tenant: string | Tenant, work: (tx: Transaction) => Promise<T>, options?: TenantOptions): Promise<T>;
  /**
   * As `tenant`, for work that only reads. What it asks at once goes in one round trip, with what makes it the tenant's, and is a
   * transaction: so none of it may write, and what a statement sets is gone when it is answered.
   */
  read<T>(tenant: Tenant, work: (tx: Transaction) => Promise<T>, options: ReadOptions): Promise<T>;
  /** `background` where the lane is absent: then it waits as long as it must. Others wait `requestWaitMs` at most. */
  system<T>(work: (tx: Transaction) => Promise<T>, lane?: Lane): Promise<T>;
  /**
   * As `system`, for statements that stand alone: each is a transaction of its own, which saves two of three round trips. They look
   * callers up, and change nothing of them but when they were there last.
   */
  statements<T>(work: (db: QueryCreator<Schema>) => Promise<T>, lane: Lane): Promise<T>;
  /**
   * A number that grows with each change of keys, sessions, members, their roles in groups, and organisations; null where others than
   * this process may change them, as on a server.
   */
  callersRevision(): number | null;
  /** How long a request's transaction waits for its turn at most. */
  readonly requestWaitMs: number;
  /** How long an upload may take as one transaction. One that takes longer is written in steps; at 0 each is. */
  readonly oneTransactionMs: number;
  /** Transactions of this process that run, and that wait for their turn. */
  load(): { readonly running: number; readonly waiting: number };
  /** How another thread or process reaches this database (`openShared`). Throws where the embedded one has stopped. */
  share(): SharedDatabase;
  close(): Promise<void>;
}

/** Messages to and from the embedded database's thread. A `MessagePort` is one. */
export interface DatabaseLine {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  /** The other end is gone. */
  on(event: 'close', listener: () => void): unknown;
  ref(): void;
  unref(): void;
  close(): void;
}

/**
 * A line to the embedded database's thread and the turns of all who use it, or a PostgreSQL server. The embedded database runs one
 * transaction at a time: an upload's process takes the turns of its organisation, as the organisation's requests do.
 */
export type SharedDatabase =
  | { readonly kind: 'embedded'; readonly line: DatabaseLine; readonly turns: TransactionTurns }
  | { readonly kind: 'server'; readonly databaseUrl: string };
