import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { alerts } from '../../../src/procedures/alerts.js';
import type { TestService } from '../../support/service.js';
import { newOrganisationWithProject } from '../projects/new-project.js';

/** A project of an organisation of its own, whose stack and alerts a test changes and reads over HTTP. */
export async function newStack(service: TestService) {
  const { organisation, key, projectId } = await newOrganisationWithProject(service);
  const project = `/api/projects/${projectId}`;
  return {
    organisation,
    key,
    projectId,
    project: { organisationId: organisation.id, projectId },
    path: `${project}/alerts`,
    /** Makes the stack exactly these npm packages, as `name@version`, however many others go. */
    async sync(...packages: string[]) {
      const body = { source: 'lock', force: true, packages: packages.map((each) => ({ purl: `pkg:npm/${each}` })) };
      const answer = await service.call(key, 'POST', `${project}/tech-stack/sync`, body);
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return answer.body;
    },
    add: (name: string, version: string) =>
      service.call(key, 'POST', `${project}/tech-stack`, { ecosystem: 'npm', name, version }),
    call: (method: string, rest = '', body?: unknown) => service.call(key, method, `${project}/alerts${rest}`, body),
    async alerts(query = '') {
      const { body } = await service.call(key, 'GET', `${project}/alerts?page_size=100${query}`);
      return alerts.list.output.parse(body).items;
    },
    /** Every alert's row, with the transaction that wrote it last. */
    rows: () =>
      service.database.system((tx) =>
        tx
          .selectFrom('alerts')
          .selectAll()
          .select(sql<string>`xmin`.as('written_by'))
          .where('project_id', '=', projectId)
          .orderBy('id')
          .execute(),
      ),
  };
}

/** An alert that needs no stack: for lists of many. */
export function alertRow(organisation_id: string, project_id: string) {
  return {
    organisation_id,
    project_id,
    id: randomUUID(),
    vulnerability_id: randomUUID(),
    ecosystem: 'npm' as const,
    package_name: 'any',
    advisory_ids: ['any'],
    cves: [],
    title: 'any',
    versions: ['1.0.0'],
    malicious: false,
    tier: 'GREEN' as const,
  };
}
