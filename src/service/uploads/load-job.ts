import { type Selectable, sql } from 'kysely';
import * as z from 'zod';
import { problem } from '../../procedures/problem.js';
import { uploadJob, uploads } from '../../procedures/uploads.js';
import { toRequest } from '../../shared/http/request-parts.js';
import type { Context } from '../api/handler.js';
import type { CallerRequest } from '../api/perform.js';
import type { Database, Transaction } from '../db/database.js';
import type { Schema } from '../db/schema.js';
import { byId, isListed, type Scope } from '../db/scope.js';
import { notFound } from '../http/api-error.js';
import { all, type Conditions, conditionsOf, type FiltersOf } from '../http/filters.js';
import { key, type List } from '../http/list-order.js';
import { loadPage } from '../http/page.js';
import type { JobKey } from './job-key.js';

/** A job, or 404. */
export async function findJob(tx: Transaction, { organisationId, id }: JobKey, projectId?: string) {
  const row = await tx.selectFrom('uploads').selectAll().where(byId(organisationId, id)).executeTakeFirst();
  if (row === undefined || (projectId !== undefined && row.project_id !== projectId)) throw notFound('upload');
  return toJob(row);
}

type Input = z.output<typeof uploads.list.input>;

const conditions: Conditions<FiltersOf<Input>> = { state: (state) => sql<boolean>`state = ${state}` };

/** Newest first: their ids sort by time. */
const newest: List = { keys: [key('id', 'text', 'desc')], appeared: sql`received_at` };

/** A page of the jobs of a scope. */
export async function listJobs(ctx: Context, scope: Scope, input: Omit<Input, 'project_id' | 'group'>) {
  const jobs = ctx.tx
    .selectFrom('uploads')
    .selectAll()
    .where(isListed(scope))
    .where(all(conditionsOf(conditions, input)));
  const page = await loadPage(ctx, newest, input, jobs);
  return { ...page, items: page.items.map(toJob) };
}

/** A job in wire form. */
export async function loadJob(database: Database, key: JobKey): Promise<Readonly<Record<string, unknown>>> {
  return z.encode(uploadJob, await database.tenant(key.organisationId, (tx) => findJob(tx, key)));
}

/** Where the API shows a job. */
export function pathOfJob({ path }: Pick<CallerRequest, 'path'>, { id: upload_id }: JobKey): string {
  return toRequest(uploads.get, { ...path, upload_id }).path;
}

function toJob(row: Selectable<Schema['uploads']>): z.output<typeof uploadJob> {
  const { id, project_id, procedure, state, phase, done, steps: of, received_at, started_at, finished_at } = row;
  const answer = row.answer ?? null;
  const found = row.problem === null ? null : problem.parse(row.problem);
  return {
    id,
    project_id,
    procedure,
    state,
    phase,
    done,
    of,
    received_at,
    started_at,
    finished_at,
    answer,
    problem: found,
  };
}
