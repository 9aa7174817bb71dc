import { sql } from 'kysely';
import type { TestService } from '../../support/service.js';
import { newOrganisationWithProject } from '../projects/new-project.js';
import type { Json } from './sboms.js';

export const noAlerts = { opened: 0, reopened: 0, resolved: 0 };

/** A project of an organisation of its own, whose stack a test changes over HTTP. */
export async function newStack(service: TestService) {
  const { organisation, key, projectId } = await newOrganisationWithProject(service);
  const path = `/api/projects/${projectId}/tech-stack`;
  return {
    organisation,
    key,
    projectId,
    path,
    sync: (packages: readonly object[], source = 'package-lock.json', more: object = {}) =>
      service.call(key, 'POST', `${path}/sync`, { source, packages, ...more }),
    upload: (document: Json | string, query = '') => service.call(key, 'POST', `${path}/sbom${query}`, document),
    rows: () =>
      // As the tenant, who sees no rows that a landing has removed.
      service.database.tenant(organisation.id, (tx) =>
        tx
          .selectFrom('tech_stack_items')
          .selectAll()
          // The system column with the transaction that wrote the row.
          .select(sql<string>`xmin`.as('written_by'))
          .where('project_id', '=', projectId)
          .orderBy('source')
          .orderBy('name')
          .orderBy('version')
          .execute(),
      ),
    audited: async () =>
      (
        await service.database.system((tx) =>
          tx
            .selectFrom('audit_log')
            .select(['action', 'after'])
            .where('target_id', '=', projectId)
            .orderBy('at')
            .orderBy('id')
            .execute(),
        )
      ).filter(({ action }) => action.startsWith('tech_stack.')),
  };
}
