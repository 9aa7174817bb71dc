import { sql } from 'kysely';
import type { Handlers } from '../api/handler.js';
import { newId } from '../db/ids.js';
import { byId } from '../db/scope.js';
import { conflict, notFound } from '../http/api-error.js';
import { requireRoom } from '../limits/require-room.js';
import { groupOfRow, groupToPutInto, nameGroups } from './find-group.js';
import { withoutCredentials } from './repository-url.js';

/** All but those that a higher layer completes: see `updateProject`, and `listProjects` among the postures. */
export const projectHandlers: Omit<Handlers['projects'], 'list' | 'update'> = {
  async get({ tx, organisationId }, { project_id }) {
    return tx
      .selectFrom('projects')
      .selectAll()
      .select(groupOfRow)
      .where(byId(organisationId, project_id))
      .executeTakeFirstOrThrow(() => notFound('project'));
  },

  async create(ctx, { name, description = null, exposure, repo, group: given }) {
    const { tx, organisationId, now, audit } = ctx;
    const group_id = (await groupToPutInto(ctx, given)) ?? null;
    await requireRoom(tx, organisationId, 'projects');
    const fields = { name, description, exposure, repo: repo === undefined ? null : withoutCredentials(repo) };
    const project = await tx
      .insertInto('projects')
      .values({
        organisation_id: organisationId,
        id: newId('prj'),
        ...fields,
        group_id,
        created_at: now,
        updated_at: now,
      })
      .onConflict((taken) =>
        taken.expression(sql`organisation_id, lower(name)`).where('removed_at', 'is', null).doNothing(),
      )
      .returningAll()
      .returning(groupOfRow)
      .executeTakeFirstOrThrow(() => conflict('name_taken'));
    const after = { ...fields, group: (await nameGroups(ctx, [group_id]))(group_id) };
    await audit({ action: 'project.create', target: { kind: 'project', id: project.id }, after });
    return project;
  },

  /** Nobody sees the project any more. Its rows are removed soon after, in steps: see `removed-projects.ts`. */
  async delete({ tx, organisationId, now, audit }, { project_id }) {
    const before = await tx
      .selectFrom('projects')
      .select(['name', 'description', 'exposure', 'repo'])
      .where(byId(organisationId, project_id))
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(() => notFound('project'));
    await sql`select remove_project(${project_id}, ${now}::timestamptz)`.execute(tx);
    await audit({ action: 'project.delete', target: { kind: 'project', id: project_id }, before });
    return { id: project_id, deleted: true };
  },
};
