import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod';
import type { ofProject } from '../../procedures/wire.js';
import type { Context } from '../api/handler.js';
import { tenantOf } from '../auth/caller.js';
import type { Transaction } from '../db/database.js';
import { isProjectOf, type Scope } from '../db/scope.js';
import { notFound } from '../http/api-error.js';
import { findGroup } from './find-group.js';

/** What a list is asked for: one project, those of a group, or, without either, all. */
interface Asked {
  readonly project_id?: string | undefined;
  readonly group?: string | undefined;
}

type Within = Pick<Context, 'tx' | 'organisationId' | 'caller'>;

/**
 * What a list or a posture is about: one project, those of a group and of the groups in it, or all; 404 where there is no such
 * group. Of a caller that is bound to some projects the query names them: row-level security alone would let it read, and leave out, the
 * rows of all others first.
 */
export async function listScope(ctx: Within, { project_id: projectId, group }: Asked): Promise<Scope> {
  const { organisationId } = ctx;
  if (group === undefined) {
    if (projectId !== undefined) return { organisationId, projectId };
    const { projectIds, groupIds: granted } = tenantOf(ctx.caller);
    if (granted === undefined) return { organisationId, among: projectIds ?? undefined };
    return narrowed(ctx.tx, { organisationId }, sql<boolean>`projects.group_id = any (${[...granted]}::text[])`);
  }
  const inGroup = sql<boolean>`projects.group_id = any (${await groupIds(ctx, group)}::text[])`;
  if (projectId === undefined) return narrowed(ctx.tx, { organisationId }, inGroup);
  await requireMeeting(ctx, projectId, inGroup);
  return { organisationId, projectId };
}

/** The ids of a group and of the groups in it. */
export async function groupIds(ctx: Pick<Context, 'tx' | 'organisationId'>, group: string): Promise<string[]> {
  const { id, subgroups } = await findGroup(ctx, group);
  return [id, ...subgroups];
}

/** Projects that a scope names, at most. A plan that compares rows with their ids does so one by one. */
const maxNamed = 25;

/**
 * The scope without projects that do not meet a condition. Few are named: indexes of projects then find their rows. The rows of many
 * are found as those of all are, and the others are left out.
 */
export async function narrowed(tx: Transaction, scope: Scope, meeting: RawBuilder<boolean>): Promise<Scope> {
  const both = scope.meeting === undefined ? meeting : sql<boolean>`${scope.meeting} and ${meeting}`;
  const few = { ...scope, meeting: both };
  const { rows } = await sql<{ id: string }>`
    select id from projects where ${isProjectOf(few)} limit ${maxNamed + 1}`.execute(tx);
  return rows.length > maxNamed ? few : { ...scope, meeting: undefined, among: rows.map(({ id }) => id) };
}

/** Of a group that it is not in, a project is as one that does not exist. */
async function requireMeeting({ tx, organisationId }: Within, projectId: string, meeting: RawBuilder<boolean>) {
  await tx
    .selectFrom('projects')
    .select('id')
    .where(isProjectOf({ organisationId, projectId, meeting }))
    .executeTakeFirstOrThrow(() => notFound('project'));
}

type ProjectOfRow = { readonly [Field in keyof typeof ofProject]?: z.output<(typeof ofProject)[Field]> };

/**
 * What names the project of a row, in a list over all projects. Where one was asked for, nothing does.
 *
 * @param asked the id of that one
 */
export async function nameProjects(
  { tx, organisationId }: Pick<Context, 'tx' | 'organisationId'>,
  asked: string | undefined,
  rows: readonly { readonly project_id: string }[],
): Promise<(row: { readonly project_id: string }) => ProjectOfRow> {
  if (asked !== undefined || rows.length === 0) return () => ({});
  const ids = [...new Set(rows.map(({ project_id }) => project_id))];
  const projects = await tx
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('organisation_id', '=', organisationId)
    .where(sql<boolean>`id = any (${ids}::text[])`)
    .execute();
  const known = new Map(projects.map((project) => [project.id, project]));
  return ({ project_id }) => {
    const project = known.get(project_id);
    return project === undefined ? {} : { project };
  };
}
