import { sql } from 'kysely';
import type { Handlers } from '../api/handler.js';
import { newId } from '../db/ids.js';
import { conflict, invalidField, notFound, requireRevision } from '../http/api-error.js';
import { offsetOf, pageAnswer } from '../http/page.js';
import { recomputeVerdicts } from '../reachability/recompute.js';
import { changedFields } from './changed-fields.js';
import { findProject, requireProjectLock } from './find-project.js';

/** SQLSTATE 23505. */
function isNameTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'projects_by_name';
}

/** A repository's address without the user and password that CI systems like to put into it: a record holds no secret. */
function withoutCredentials(repo: string): string {
  const url = new URL(repo);
  if (url.username === '' && url.password === '') return repo;
  url.username = '';
  url.password = '';
  return url.href;
}

export const projectHandlers: Handlers['projects'] = {
  async list({ tx, organisationId }, paging) {
    const own = tx.selectFrom('projects').where('organisation_id', '=', organisationId);
    const { total } = await own.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await own
      .selectAll()
      .orderBy(sql`lower(name)`)
      .limit(paging.page_size)
      .offset(offsetOf(paging))
      .execute();
    return pageAnswer(paging, total, rows);
  },

  async get(ctx, { project_id }) {
    return findProject(ctx, project_id);
  },

  async create({ tx, organisationId, now, audit }, { name, description = null, exposure, repo }) {
    const fields = { name, description, exposure, repo: repo === undefined ? null : withoutCredentials(repo) };
    const project = await tx
      .insertInto('projects')
      .values({ organisation_id: organisationId, id: newId('prj'), ...fields, created_at: now, updated_at: now })
      .onConflict((taken) => taken.expression(sql`organisation_id, lower(name)`).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (project === undefined) throw conflict('name_taken');
    await audit({ action: 'project.create', target: { kind: 'project', id: project.id }, after: fields });
    return project;
  },

  async update(ctx, { project_id, expected_revision, ...given }) {
    if (Object.values(given).every((value) => value === undefined)) throw invalidField('', 'no_change');
    const { tx, organisationId, now, audit } = ctx;
    const key = await requireProjectLock(ctx, project_id);
    const project = await findProject(ctx, project_id);
    requireRevision(project.revision, expected_revision);
    const { name, description, exposure, repo } = project;
    const changes = changedFields(
      { name, description, exposure, repo },
      { ...given, repo: typeof given.repo === 'string' ? withoutCredentials(given.repo) : given.repo },
    );
    if (changes === null) return project;
    const updated = await tx
      .updateTable('projects')
      .set({ ...changes.after, revision: project.revision + 1, updated_at: now })
      .where('organisation_id', '=', organisationId)
      .where('id', '=', project_id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        throw isNameTaken(error) ? conflict('name_taken') : error;
      });
    if (changes.after.exposure !== undefined) await recomputeVerdicts(tx, key, now);
    await audit({ action: 'project.update', target: { kind: 'project', id: project_id }, ...changes });
    return updated;
  },

  /** The tech stack and the alerts go with it, by the database's own cascade. */
  async delete({ tx, organisationId, audit }, { project_id }) {
    const before = await tx
      .deleteFrom('projects')
      .where('organisation_id', '=', organisationId)
      .where('id', '=', project_id)
      .returning(['name', 'description', 'exposure', 'repo'])
      .executeTakeFirst();
    if (before === undefined) throw notFound('project');
    await audit({ action: 'project.delete', target: { kind: 'project', id: project_id }, before });
    return { id: project_id, deleted: true };
  },
};
