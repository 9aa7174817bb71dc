import type { Transaction } from './database.js';

/** What is known of a transaction without asking the database. */
interface TransactionFacts {
  /** The change set that it writes to; 0 in an ordinary one. */
  readonly changeSet: number;
  /** Projects whose lock it holds, which it keeps to its end. */
  readonly lockedProjects: Set<string>;
}

const known = new WeakMap<Transaction, TransactionFacts>();

/** Says of a transaction that begins which set it writes to. */
export function writesTo(tx: Transaction, changeSet: number): void {
  known.set(tx, { changeSet, lockedProjects: new Set() });
}

/** Throws for a transaction that has no tenant. */
export function factsOf(tx: Transaction): TransactionFacts {
  const facts = known.get(tx);
  if (facts === undefined) throw new Error('Only a transaction of a tenant writes to a change set or locks a project.');
  return facts;
}
