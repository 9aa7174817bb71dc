import { sql } from 'kysely';
import type * as z from 'zod';
import type { ofProject } from '../../procedures/wire.js';
import type { Context } from '../api/handler.js';

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
