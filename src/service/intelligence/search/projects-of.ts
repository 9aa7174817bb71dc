import type { Transaction } from '../../db/database.js';
import { nameProjects } from '../../projects/list-scope.js';

/** The projects of rows, by id. */
export async function projectsOf(
  tx: Transaction,
  organisationId: string,
  rows: readonly { readonly project_id: string }[],
): Promise<(projectId: string) => { readonly id: string; readonly name: string }> {
  const projectOf = await nameProjects({ tx, organisationId }, undefined, rows);
  return (id) => projectOf({ project_id: id }).project ?? { id, name: '' };
}
