import type { Transaction as KyselyTransaction } from 'kysely';
import type { Schema } from './schema.js';

export type Transaction = KyselyTransaction<Schema>;

/** Whose rows a transaction sees: an organisation's, or of them only those of some projects. */
export interface Tenant {
  readonly organisationId: string;
  /** Null: all projects, and what belongs to none. */
  readonly projectIds: readonly string[] | null;
}

/**
 * The only way to the data. `tenant` runs as a role that row-level security binds to one organisation. `system` runs as
 * the owner, for what belongs to no organisation: looking up credentials, and intelligence. Neither may be called
 * inside the other, because the embedded database has one connection.
 */
export interface Database {
  /** @param tenant an organisation's id, or a tenant */
  tenant<T>(tenant: string | Tenant, work: (tx: Transaction) => Promise<T>): Promise<T>;
  system<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
