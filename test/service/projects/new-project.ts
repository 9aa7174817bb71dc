import { randomUUID } from 'node:crypto';
import { textAt } from '../../support/at.js';
import type { TestOrganisation, TestService } from '../../support/service.js';

/** The id of a new project of the organisation. */
export async function newProject(service: TestService, { writeKey }: TestOrganisation): Promise<string> {
  const { body } = await service.call(writeKey, 'POST', '/api/projects', { name: `project ${randomUUID()}` });
  return textAt(body, 'id');
}

/** An organisation of its own, with a project. */
export async function newOrganisationWithProject(service: TestService) {
  const organisation = await service.newOrganisation();
  return { organisation, key: organisation.writeKey, projectId: await newProject(service, organisation) };
}
