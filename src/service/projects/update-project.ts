import { changesOf } from '../api/cleared.js';
import type { Handlers } from '../api/handler.js';
import type { Transaction } from '../db/database.js';
import { byId } from '../db/scope.js';
import { conflict, requireRevision } from '../http/api-error.js';
import { changedFields } from './changed-fields.js';
import { groupOfRow, groupToPutInto, nameGroups } from './find-group.js';
import { type ProjectKey, requireProjectLock } from './find-project.js';
import { withoutCredentials } from './repository-url.js';

/** SQLSTATE 23505. */
function isNameTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'projects_by_name';
}

type RecomputeVerdicts = (tx: Transaction, project: ProjectKey, now: Date) => Promise<unknown>;

/**
 * The handler that updates a project.
 *
 * @param recomputeVerdicts called in the update's transaction when the exposure changes, since verdicts depend on it;
 * passed in because verdicts belong to a higher layer
 */
export function updateProject(recomputeVerdicts: RecomputeVerdicts): Handlers['projects']['update'] {
  return async (ctx, { project_id, expected_revision, clear, ...changed }) => {
    const { group, ...given } = changesOf(changed, clear);
    const { tx, organisationId, now, audit } = ctx;
    const key = await requireProjectLock(ctx, project_id);
    const group_id = await groupToPutInto(ctx, group);
    const project = await tx
      .selectFrom('projects')
      .selectAll()
      .select(groupOfRow)
      .where(byId(organisationId, project_id))
      .executeTakeFirstOrThrow();
    requireRevision(project.revision, expected_revision);
    const { name, description, exposure, repo } = project;
    const changes = changedFields(
      { name, description, exposure, repo, group_id: project.group_id },
      { ...given, group_id, repo: typeof given.repo === 'string' ? withoutCredentials(given.repo) : given.repo },
    );
    if (changes === null) return project;
    const updated = await tx
      .updateTable('projects')
      .set({ ...changes.after, revision: project.revision + 1, updated_at: now })
      .where(byId(organisationId, project_id))
      .returningAll()
      .returning(groupOfRow)
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        throw isNameTaken(error) ? conflict('name_taken') : error;
      });
    if (changes.after.exposure !== undefined) await recomputeVerdicts(tx, key, now);
    const nameOf = await nameGroups(ctx, [changes.before.group_id ?? null, changes.after.group_id ?? null]);
    const named = ({ group_id: id, ...fields }: Partial<typeof project>) => ({
      ...fields,
      ...(id !== undefined && { group: nameOf(id) }),
    });
    await audit({
      ...{ action: 'project.update', target: { kind: 'project', id: project_id } },
      ...{ before: named(changes.before), after: named(changes.after) },
    });
    return updated;
  };
}
