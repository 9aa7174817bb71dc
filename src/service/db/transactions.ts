import { setTimeout } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import type { Transaction } from './database.js';
import { staleStatement } from './exchange.js';
import { ProjectOccupied } from './project-occupied.js';

/** What is known of a tenant's transaction without asking the database. */
interface TenantFacts {
  /** The change set that it writes to; 0 in an ordinary one. */
  readonly changeSet: number;
  /** Whether it is bound to some projects. */
  readonly isBound: boolean;
  /** Projects whose lock the transaction holds, which it keeps to its end. */
  readonly lockedProjects: Set<string>;
}

const facts = new WeakMap<Transaction, TenantFacts>();

/** Notes whose transaction it is. */
export function markTenant(tx: Transaction, { changeSet, isBound }: Omit<TenantFacts, 'lockedProjects'>): void {
  facts.set(tx, { changeSet, isBound, lockedProjects: new Set() });
}

/** What is known of a tenant's transaction that may write. */
export function tenantFacts(tx: Transaction): TenantFacts {
  const known = facts.get(tx);
  if (known === undefined) throw new Error('This belongs into a transaction of a tenant that may write.');
  return known;
}

/** Whether a transaction that may write is bound to some projects. The system's see all. */
export function isBoundToProjects(tx: Transaction): boolean {
  return facts.get(tx)?.isBound ?? false;
}

/** serialization_failure and deadlock_detected, which PostgreSQL expects clients to retry, and stale statements. */
const retryable = new Set<string>(['40001', '40P01', ...Object.values(staleStatement)]);
const retries = 2;

/** The index of one landing a project. Another one was opened at the same moment: the next attempt sees it, and waits. */
const oneLanding = 'change_sets_under_way';

function isRetryable(error: unknown): boolean {
  return error instanceof DatabaseError && (retryable.has(error.code ?? '') || error.constraint === oneLanding);
}

/** How long a transaction waits for a landing of its project, and how often it looks. */
const maxWaitMs = 10_000;
const lookEveryMs = 50;

/**
 * Runs a transaction, again where the database says so. One that finds its project occupied by a landing begins again: the landing
 * needs the connection.
 */
export async function retrying<T>(transact: () => Promise<T>): Promise<T> {
  const waitUntil = performance.now() + maxWaitMs;
  for (let retry = 0; ; ) {
    try {
      return await transact();
    } catch (error) {
      if (error instanceof ProjectOccupied && performance.now() < waitUntil) {
        await setTimeout(lookEveryMs);
        continue;
      }
      if (retry === retries || !isRetryable(error)) throw error;
      retry += 1;
    }
  }
}
