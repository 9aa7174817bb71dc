import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { byId, inScope } from '../db/scope.js';

export interface LandingProject {
  readonly organisationId: string;
  readonly projectId: string;
  /** The job that writes, where one does. */
  readonly uploadId?: string | undefined;
}

export interface SetKey {
  readonly organisationId: string;
  readonly id: number;
}

/** How long the writer of a set may give no sign of life. */
export const leaseMs = 60_000;

/** By the database's clock, which all instances share. */
export const newLease = sql<Date>`now() + ${leaseMs / 1000} * interval '1 second'`;

export const isSet = ({ organisationId, id }: SetKey) =>
  sql<boolean>`organisation_id = ${organisationId} and id = ${id}`;

/** A new set, at the end of the project's queue; undefined where there is no such project. */
export async function enterQueue(
  tx: Transaction,
  { organisationId, projectId, uploadId }: LandingProject,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into change_sets (organisation_id, project_id, state, lease_until, upload_id)
    select organisation_id, id, 'waiting', ${newLease}, ${uploadId ?? null} from projects where ${byId(organisationId, projectId)}
    returning id`.execute(tx);
  return rows[0]?.id;
}

/** What became of a set that waits: `abandoned` names the one in its way whose writer is gone. */
export type Turn = 'open' | 'wait' | 'lost' | { readonly abandoned: number };

/**
 * Opens the set if it is the first of the project and no other is under way. Numbers are taken in one order and become visible
 * in another one, so a set that is open may have a later number. Ordinary transactions that hold the project are waited for.
 */
export async function takeTurn(tx: Transaction, project: LandingProject, set: number): Promise<Turn> {
  const { organisationId, projectId } = project;
  await sql`select from projects where ${byId(organisationId, projectId)} for no key update`.execute(tx);
  const other = await tx
    .selectFrom('change_sets')
    .select(['id', sql<boolean>`lease_until < now()`.as('abandoned')])
    .where(inScope(project))
    .where(({ or, eb }) => or([eb('id', '<', set), eb('state', 'in', ['open', 'undoing'])]))
    .where('id', '<>', set)
    .where('state', '<>', 'landed')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (other?.abandoned === true) return { abandoned: other.id };
  if (other !== undefined) return (await renewSet(tx, organisationId, set)) ? 'wait' : 'lost';
  const { numUpdatedRows } = await tx
    .updateTable('change_sets')
    .set({ state: 'open', lease_until: newLease })
    .where(isSet({ organisationId, id: set }))
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows === 1n ? 'open' : 'lost';
}

/** Says that the writer lives. False where the set is not its own any more. */
export async function renewSet(tx: Transaction, organisationId: string, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('change_sets')
    .set({ lease_until: newLease })
    .where(isSet({ organisationId, id }))
    .where('state', 'in', ['waiting', 'open'])
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The job that wrote has ended, and its lease with it: whoever needs the project next undoes the set, or the upkeep does. */
export async function abandonSets(tx: Transaction, organisationId: string, uploadId: string): Promise<void> {
  await tx
    .updateTable('change_sets')
    .set({ lease_until: sql<Date>`now() - interval '1 second'` })
    .where('organisation_id', '=', organisationId)
    .where('upload_id', '=', uploadId)
    .where('state', 'in', ['waiting', 'open'])
    .execute();
}

/** With the transaction's commit all see what the set has changed. */
export async function landSet(tx: Transaction, organisationId: string, id: number): Promise<void> {
  await tx.updateTable('change_sets').set({ state: 'landed' }).where(isSet({ organisationId, id })).execute();
}
