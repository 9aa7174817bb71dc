import { sql } from 'kysely';
import type * as z from 'zod';
import type { alerts } from '../../procedures/alerts.js';
import { keysOf } from '../../shared/schema/unwrap.js';
import type { AlertRow } from './alert-facts.js';

/** The columns of an alert that begin with `acknowledged_`. */
export type Acknowledgement = Pick<AlertRow, keyof AlertRow & `acknowledged_${string}`>;

/**
 * An alert without an acknowledgement. A column that is not in this list does not compile; all that ends an
 * acknowledgement follows from it.
 */
export const noAcknowledgement: Acknowledgement = {
  acknowledged_at: null,
  acknowledged_by: null,
  acknowledged_note: null,
};

const columns = keysOf(noAcknowledgement);

/**
 * Assignments of an update of alerts: a resolved alert that the update reopens loses its acknowledgement, which was
 * given before it came back.
 */
export const endedByReopening = sql.join(
  columns.map((column) => sql`${sql.ref(column)} = case when resolved_at is null then ${sql.ref(column)} end`),
);

/** As the API answers it. */
export function acknowledgedOf(row: Acknowledgement): z.output<typeof alerts.acknowledge.output>['acknowledged'] {
  const { acknowledged_at: at, acknowledged_by: by, acknowledged_note: note } = row;
  return at === null || by === null ? null : { at, by, note };
}

/** As the audit log names it: whether it is there, and what its other columns say. */
export function auditedAcknowledgement(row: Acknowledgement) {
  const said = columns.map((column) => [column.replace('acknowledged_', ''), row[column]] as const);
  const { at, ...others } = Object.fromEntries(said);
  return { acknowledged: at !== null, ...others };
}
