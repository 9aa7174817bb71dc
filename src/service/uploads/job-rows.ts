import { sql } from 'kysely';
import type { Problem } from '../../procedures/problem.js';
import type { Performed } from '../api/answer.js';
import { keyHashOf, storedAnswer } from '../api/idempotency.js';
import type { CallerRequest } from '../api/perform.js';
import type { Database, Transaction } from '../db/database.js';
import { newSortableId } from '../db/ids.js';
import { byId } from '../db/scope.js';
import { conflict, notFound } from '../http/api-error.js';
import { abandonSets } from '../landing/change-set.js';
import { findProject } from '../projects/find-project.js';
import type { JobKey } from './job-key.js';
import type { UploadStep } from './messages.js';
import { addScanRow, endScanRow, removeScanRow, startScanRow } from './scan-rows.js';

interface NewJob {
  readonly procedure: string;
  readonly request: CallerRequest;
  readonly instance: string;
  readonly steps: number;
}

/** Milliseconds for which a job counts as alive after its process has last said so. */
const leaseMs = 60_000;

const leaseUntil = (now: Date) => new Date(now.getTime() + leaseMs);

/**
 * Makes the row of a job, or 404 where the project does not exist. For a repeated Idempotency-Key: the answer that there is, or
 * the job that is under way.
 */
export async function makeUpload(
  database: Database,
  { procedure, request, instance, steps }: NewJob,
  now: Date,
): Promise<Performed | (JobKey & { readonly isNew: boolean })> {
  const { caller, path, query, idempotency } = request;
  const { organisationId } = caller;
  const projectId = path['project_id'];
  if (typeof projectId !== 'string') throw notFound('project');
  return database.tenant(organisationId, async (tx) => {
    await findProject({ tx, organisationId }, projectId);
    const keyed = idempotency === null ? null : { ...idempotency, organisationId, callerId: caller.id, procedure };
    const answer = keyed === null ? undefined : await storedAnswer(tx, keyed, now);
    if (answer !== undefined) return { answer, replayed: true };
    const id = newSortableId('upl');
    const key_hash = keyed === null ? null : keyHashOf(keyed);
    const made = await tx
      .insertInto('uploads')
      .values({
        ...{ organisation_id: organisationId, id, project_id: projectId, procedure, key_hash, instance, steps },
        ...{ state: 'queued', phase: 'waiting', done: 0, lease_until: leaseUntil(now), received_at: now },
        request_hash: keyed?.requestHash ?? null,
      })
      .onConflict((conflicting) =>
        conflicting
          .columns(['organisation_id', 'key_hash'])
          // The words of the index: with parameters the database would not know that it is meant.
          .where(sql<boolean>`state in ('queued', 'running')`)
          .doNothing(),
      )
      .returning('id')
      .executeTakeFirst();
    if (made !== undefined) {
      await addScanRow(tx, { organisationId, projectId, id, procedure, query, now });
      return { organisationId, id, isNew: true };
    }
    const running = await tx
      .selectFrom('uploads')
      .select(['id', 'request_hash'])
      .where('organisation_id', '=', organisationId)
      .where('key_hash', '=', key_hash)
      .where('state', 'in', ['queued', 'running'])
      .executeTakeFirst();
    if (running === undefined) throw conflict('in_progress');
    if (keyed !== null && running.request_hash?.equals(keyed.requestHash) !== true)
      throw conflict('idempotency_key_reused');
    return { organisationId, id: running.id, isNew: false };
  });
}

/** Keeps how far a job is. */
export async function noteStep(database: Database, key: JobKey, { phase, done, of }: UploadStep, now: Date) {
  await database.tenant(key.organisationId, async (tx) => {
    const row = await tx
      .updateTable('uploads')
      .set({ state: 'running', phase, done, steps: of, started_at: sql<Date>`coalesce(started_at, ${now})` })
      .where(byId(key.organisationId, key.id))
      .where('state', 'in', ['queued', 'running'])
      .where('done', '<=', done)
      .returning('started_at')
      .executeTakeFirst();
    if (row !== undefined) await startScanRow(tx, key, now);
  });
}

/** Keeps the answer of a job, in the transaction of its last writes. */
export async function finishUpload(
  tx: Transaction,
  { organisationId, id, steps }: JobKey & { readonly steps: number },
  answer: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tx
    .updateTable('uploads')
    .set({ state: 'done', done: steps, steps, answer: JSON.stringify(answer), finished_at: new Date() })
    .where(byId(organisationId, id))
    .execute();
  await removeScanRow(tx, { organisationId, id });
}

/** Keeps why a job has failed. What it has written and not finished is undone later, and nobody waits for its lease. */
export async function failUpload(database: Database, key: JobKey, problem: Problem, now: Date): Promise<void> {
  await database.tenant(key.organisationId, async (tx) => {
    await tx
      .updateTable('uploads')
      .set({ state: 'failed', problem: JSON.stringify(problem), finished_at: now })
      .where(byId(key.organisationId, key.id))
      .where('state', 'in', ['queued', 'running'])
      .execute();
    await endScanRow(tx, key, problem.detail ?? problem.title, now);
    await abandonSets(tx, key.organisationId, key.id);
  });
}

/** Says that the jobs of a process are alive. */
export async function renewLeases(database: Database, instance: string, now: Date): Promise<void> {
  await database.system(async (tx) => {
    await tx
      .updateTable('uploads')
      .set({ lease_until: leaseUntil(now) })
      .where('instance', '=', instance)
      .where('state', 'in', ['queued', 'running'])
      .execute();
  });
}

/**
 * The jobs whose process has ended.
 *
 * @param instance the one process that there is: then all jobs of others count; null where there may be several
 */
export async function abandonedUploads(
  database: Database,
  instance: string | null,
  now: Date,
): Promise<readonly JobKey[]> {
  const rows = await database.system((tx) =>
    tx
      .selectFrom('uploads')
      .select(['organisation_id', 'id'])
      .where('state', 'in', ['queued', 'running'])
      .$if(instance === null, (query) => query.where('lease_until', '<', now))
      .$if(instance !== null, (query) => query.where('instance', '<>', instance ?? ''))
      .limit(1000)
      .execute(),
  );
  return rows.map(({ organisation_id: organisationId, id }) => ({ organisationId, id }));
}

/** How long a finished job is kept. */
const keptMs = 7 * 24 * 60 * 60 * 1000;

/** Removes some of the jobs that were finished long ago. */
export async function pruneUploads(database: Database, now: Date): Promise<void> {
  await database.system(async (tx) => {
    const before = new Date(now.getTime() - keptMs);
    await sql`
      delete from uploads where (organisation_id, id) in (
        select organisation_id, id from uploads where finished_at < ${before} limit 500
      )`.execute(tx);
  });
}
