import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseError } from 'pg';

/** What a transaction begins with. One simple query, so that a tenant's transaction costs no round trip of its own. */
interface Scope {
  readonly opening: string;
  open: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

/** serialization_failure and deadlock_detected: PostgreSQL asks the client to try again. */
const retryable = new Set(['40001', '40P01']);
const retries = 2;

/** The statements that open the transaction being begun. */
export function currentOpening(): string {
  return scopes.getStore()?.opening ?? 'begin';
}

/**
 * Runs a transaction that begins with `opening`. Refuses to open one inside another, which would wait for itself on the
 * embedded database's one connection, and be another transaction on PostgreSQL.
 */
export async function inTransaction<T>(opening: string, transact: () => Promise<T>): Promise<T> {
  if (scopes.getStore()?.open === true) {
    throw new Error('A transaction was opened inside another one; pass the outer one on instead.');
  }
  for (let retry = 0; ; retry += 1) {
    const scope: Scope = { opening, open: true };
    try {
      return await scopes.run(scope, transact);
    } catch (error) {
      if (retry === retries || !(error instanceof DatabaseError) || !retryable.has(error.code ?? '')) throw error;
    } finally {
      // Work that outlives its transaction (a timer it set) may open its own.
      scope.open = false;
    }
  }
}
