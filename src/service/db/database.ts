import type { Transaction as KyselyTransaction } from 'kysely';
import type { Schema } from './schema.js';

export type Transaction = KyselyTransaction<Schema>;

/**
 * The only way to the data. `tenant` runs as a role that row-level security binds to one organisation. `system` runs as
 * the owner, for what belongs to no organisation: looking up credentials, and intelligence. Neither may be called
 * inside the other, because the embedded database has one connection. With a `changeSet`, what a tenant writes belongs to
 * that set and is seen by transactions of the set alone, until it lands (src/service/landing).
 */
export interface Database {
  tenant<T>(organisationId: string, work: (tx: Transaction) => Promise<T>, changeSet?: number): Promise<T>;
  system<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
