import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.js';
import { untilDone } from '../jobs/pages.js';
import { isSet, type SetKey } from './change-set.js';
import { type CountTable, countTables, setTableNames } from './set-tables.js';

const sumOf = (column: string) =>
  sql`${sql.ref(column)} = ${sql.ref(`kept.${column}`)} + ${sql.ref(`excluded.${column}`)}`;

/** Tables whose rows of one set are added to those of all, with what becomes of each column when two rows become one. */
const counts = {
  posture_counts: {
    key: ['organisation_id', 'domain', 'source', 'project_id', 'state', 'tier', 'severity', 'band'],
    merged: { count: sumOf('count') },
  },
  posture_days: {
    key: ['organisation_id', 'domain', 'day', 'project_id', 'tier'],
    merged: {
      appeared: sumOf('appeared'),
      reopened: sumOf('reopened'),
      resolved: sumOf('resolved'),
      net: sumOf('net'),
    },
  },
  stack_counts: {
    key: ['organisation_id', 'project_id'],
    merged: {
      packages: sumOf('packages'),
      first_at: sql`first_at = least(kept.first_at, excluded.first_at)`,
      changed_at: sql`changed_at = greatest(kept.changed_at, excluded.changed_at)`,
    },
  },
} as const satisfies Record<CountTable, unknown>;

/** Rows of one transaction. */
const stepRows = { first: 500, least: 250 };

/**
 * Deletes what a landed set has removed, adds its counts to those of all, and forgets the set. In short transactions, none
 * of which changes what anybody sees. Safe to repeat, also by two processes at once.
 */
export async function sweepSet(database: Database, set: SetKey): Promise<void> {
  const { organisationId, id } = set;
  for (const table of setTableNames) {
    const name = sql.table(table);
    await untilDone(
      database,
      stepRows,
      (rows) => sql`
      delete from ${name} where ctid = any (array(
        select ctid from ${name} where organisation_id = ${organisationId} and removed_in = ${id} limit ${rows}
      )) and removed_in = ${id}`,
    );
  }
  for (const table of countTables) {
    await untilDone(database, stepRows, (rows) => mergeCounts(table, set, rows));
  }
  await database.system((tx) => tx.deleteFrom('change_sets').where(isSet(set)).where('state', '=', 'landed').execute());
}

/** Moves counts of a set to the rows without a set. */
function mergeCounts(table: CountTable, { organisationId, id }: SetKey, rows: number): RawBuilder<unknown> {
  const name = sql.table(table);
  const key = sql.join(counts[table].key.map((column) => sql.ref(column)));
  const { merged } = counts[table];
  const columns = sql.join(Object.keys(merged).map((column) => sql.ref(column)));
  return sql`
    with moved as (
      delete from ${name} where ctid = any (array(
        select ctid from ${name} where organisation_id = ${organisationId} and change_set = ${id} limit ${rows}
      )) and change_set = ${id} returning *
    )
    insert into ${name} as kept (${key}, ${columns}) select ${key}, ${columns} from moved order by ${key}
    on conflict (${key}, change_set) do update set ${sql.join(Object.values(merged))}`;
}
