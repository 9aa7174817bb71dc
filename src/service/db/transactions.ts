import { setTimeout } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import type { Tenant, Transaction } from './database.js';
import { type Statement, staleStatement } from './exchange.js';
import { ProjectOccupied } from './project-occupied.js';
import type { Opening } from './session.js';

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

/** Settings of a transaction, by name. */
export type TransactionSettings = Readonly<Record<string, string>>;

/** The statements that go before those of each kind of work. */
export interface Openings {
  readonly tenant: (tenant: Tenant, changeSet: number) => Opening;
  readonly read: (tenant: Tenant) => Opening;
  readonly system: Opening;
  readonly statements: Opening;
}

const begin: Statement = { text: 'begin', values: [] };

/** A list as migrations/bound-keys.ts reads it. Ids have no commas. */
const listOf = (ids: readonly string[]): string => `,${ids.join()},`;

/** The settings of a tenant's transaction whose values differ. */
const ofTenants = [
  'postern.change_set',
  'postern.organisation_id',
  'transaction_read_only',
  'postern.group_ids',
] as const;

/** The list of projects is the fifth value, or what the groups of the fourth have now: what moves is seen at once, or no more. */
const projectList = {
  given: '$5',
  ofGroups: `(select ',' || coalesce(string_agg(id, ','), '') || ',' from projects
    where organisation_id = $2 and group_id = any (string_to_array($4, ',')))`,
} as const;

/**
 * Everything is set for one transaction and is gone when it ends: a pool between (pgbouncer) may give the connection to anybody then.
 *
 * @param limits of every transaction, such as its timeouts
 */
export function openingsWith(limits: TransactionSettings): Openings {
  const limiting = Object.entries(limits).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  const limited: Statement[] = limiting.length === 0 ? [] : [{ text: `select ${limiting.join(', ')}`, values: [] }];
  // Not a query: after one the work could not choose its isolation level.
  const setting = Object.entries(limits).map(([name, value]) => ({
    text: `set local ${name} = '${value}'`,
    values: [],
  }));
  // Compiling queries (`jit`) takes up to a second where the planner expects many rows, longer than queries for one page take.
  const textWith = (projects: string) =>
    `select ${[
      ...ofTenants.map((name, at) => `set_config('${name}', $${at + 1}, true)`),
      `set_config('postern.project_ids', ${projects}, true)`,
      ...limiting,
      `set_config('role', 'postern_tenant', true)`,
      `set_config('jit', 'off', true)`,
    ].join(', ')}`;
  const [text, textOfGroups] = [textWith(projectList.given), textWith(projectList.ofGroups)];
  const settings = (tenant: Tenant, changeSet: number, readOnly: 'on' | 'off'): Statement => {
    const { organisationId, projectIds, groupIds } = tenant;
    const values = [String(changeSet), organisationId, readOnly];
    if (groupIds !== undefined) return { text: textOfGroups, values: [...values, listOf(groupIds)] };
    return { text, values: [...values, '', projectIds === null ? '' : listOf(projectIds)] };
  };
  return {
    tenant: (tenant, changeSet) => ({ kind: 'transaction', statements: [begin, settings(tenant, changeSet, 'off')] }),
    read: (tenant) => ({ kind: 'each', statements: [settings(tenant, 0, 'on')] }),
    system: { kind: 'transaction', statements: [begin, ...setting] },
    statements: { kind: 'each', statements: limited },
  };
}
