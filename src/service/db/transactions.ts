import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { ProjectOccupied } from './project-occupied.js';

/** What is known of a tenant's transaction without asking the database. */
interface TenantFacts {
  /** The change set that it writes to; 0 in an ordinary one. */
  readonly changeSet: number;
  /** The projects that it is bound to; null where it sees all. */
  readonly projectIds: readonly string[] | null;
}

export interface Beginning {
  /** The statements that begin the transaction, in one simple query: setting the tenant needs no extra round trip. */
  readonly opening: string;
  readonly tenant?: TenantFacts;
}

interface Scope extends Beginning {
  open: boolean;
  /** Projects whose lock the transaction holds, which it keeps to its end. */
  readonly lockedProjects: Set<string>;
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

/** What is known of the current transaction, which is a tenant's. */
export function currentTenant(): TenantFacts & Pick<Scope, 'lockedProjects'> {
  const scope = scopes.getStore();
  if (scope?.tenant === undefined) throw new Error('This belongs into a transaction of a tenant.');
  return { ...scope.tenant, lockedProjects: scope.lockedProjects };
}

/**
 * Runs a transaction that begins with `opening`. Throws inside another transaction: on the embedded database's one
 * connection the inner one would wait for itself, and on a server it would be a separate transaction. One that finds its
 * project occupied by a landing begins again: the landing needs the connection.
 */
export async function inTransaction<T>(beginning: Beginning, transact: () => Promise<T>): Promise<T> {
  if (scopes.getStore()?.open === true) {
    throw new Error('A transaction was opened inside another one; pass the outer one on instead.');
  }
  const waitUntil = performance.now() + maxWaitMs;
  for (let retry = 0; ; ) {
    const scope: Scope = { ...beginning, open: true, lockedProjects: new Set() };
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
