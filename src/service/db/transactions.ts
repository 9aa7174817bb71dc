import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { ProjectOccupied } from './project-occupied.js';

interface Scope {
  /** The statements that begin the transaction, in one simple query: setting the tenant needs no extra round trip. */
  readonly opening: string;
  open: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

/** serialization_failure and deadlock_detected, which PostgreSQL expects clients to retry. */
const retryable = new Set(['40001', '40P01']);
const retries = 2;

/** How long a transaction waits for a landing of its project, and how often it looks. */
const maxWaitMs = 10_000;
const lookEveryMs = 50;

/** The statements that begin the current transaction. */
export function currentOpening(): string {
  return scopes.getStore()?.opening ?? 'begin';
}

/**
 * Runs a transaction that begins with `opening`. Throws inside another transaction: on the embedded database's one
 * connection the inner one would wait for itself, and on a server it would be a separate transaction. One that finds its
 * project occupied by a landing begins again: the landing needs the connection.
 */
export async function inTransaction<T>(opening: string, transact: () => Promise<T>): Promise<T> {
  if (scopes.getStore()?.open === true) {
    throw new Error('A transaction was opened inside another one; pass the outer one on instead.');
  }
  const waitUntil = performance.now() + maxWaitMs;
  for (let retry = 0; ; ) {
    const scope: Scope = { opening, open: true };
    try {
      return await scopes.run(scope, transact);
    } catch (error) {
      if (error instanceof ProjectOccupied && performance.now() < waitUntil) {
        await setTimeout(lookEveryMs);
        continue;
      }
      if (retry === retries || !(error instanceof DatabaseError) || !retryable.has(error.code ?? '')) throw error;
      retry += 1;
    } finally {
      // Work that continues after its transaction, such as a timer, may begin another one.
      scope.open = false;
    }
  }
}
