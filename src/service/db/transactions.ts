import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseError } from 'pg';

interface Scope {
  /** The statements that begin the transaction, in one simple query: setting the tenant needs no extra round trip. */
  readonly opening: string;
  open: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

/** serialization_failure and deadlock_detected, which PostgreSQL expects clients to retry. */
const retryable = new Set(['40001', '40P01']);
const retries = 2;

/** The statements that begin the current transaction. */
export function currentOpening(): string {
  return scopes.getStore()?.opening ?? 'begin';
}

/**
 * Runs a transaction that begins with `opening`. Throws inside another transaction: on the embedded database's one
 * connection the inner one would wait for itself, and on a server it would be a separate transaction.
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
      // Work that continues after its transaction, such as a timer, may begin another one.
      scope.open = false;
    }
  }
}
