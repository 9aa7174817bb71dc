import type { Tenant } from './database.js';
import type { Statement } from './exchange.js';
import type { Opening } from './session.js';

/** Settings of a transaction, by name. */
export type TransactionSettings = Readonly<Record<string, string>>;

/** What goes before the statements of each kind of work. */
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
