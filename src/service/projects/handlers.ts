import { sql } from 'kysely';
import type { Handlers } from '../api/handler.js';
import { newId } from '../db/ids.js';
import { byId } from '../db/scope.js';
import { conflict, notFound } from '../http/api-error.js';
import { loadPage } from '../http/page.js';
import { requireRoom } from '../limits/require-room.js';
import { findProject } from './find-project.js';
import { withoutCredentials } from './repository-url.js';

/** All but `update`, which a higher layer completes: see `updateProject`. */
export const projectHandlers: Omit<Handlers['projects'], 'update'> = {
  async list({ tx, organisationId }, paging) {
    const own = tx.selectFrom('projects').where('organisation_id', '=', organisationId);
    return loadPage(paging, own.selectAll().orderBy(sql`lower(name)`));
  },

  async get(ctx, { project_id }) {
    return findProject(ctx, project_id);
  },

  async create({ tx, organisationId, now, audit }, { name, description = null, exposure, repo }) {
    await requireRoom(tx, organisationId, 'projects');
    const fields = { name, description, exposure, repo: repo === undefined ? null : withoutCredentials(repo) };
    const project = await tx
      .insertInto('projects')
      .values({ organisation_id: organisationId, id: newId('prj'), ...fields, created_at: now, updated_at: now })
      .onConflict((taken) =>
        taken.expression(sql`organisation_id, lower(name)`).where('removed_at', 'is', null).doNothing(),
      )
      .returningAll()
      .executeTakeFirstOrThrow(() => conflict('name_taken'));
    await audit({ action: 'project.create', target: { kind: 'project', id: project.id }, after: fields });
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
