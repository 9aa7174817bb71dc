import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';
import { runReach } from '../../reach/run-reach.js';
import { at } from '../../support/at.js';
import type { TestService } from '../../support/service.js';
import { inProject } from '../containers/scanned-project.js';
import { trivyReport } from '../scanners/trivy/trivy-report.js';
import { loadCovering, newProject, record, unique } from './organisation.js';

export interface Answer {
  readonly status: unknown;
  readonly gaps: readonly string[];
}

/** The answers about a flaw of a package below its fix, from all that read the same rows. */
export interface Answers {
  readonly exposed: Answer;
  /** Of the list of alerts, which is empty, and so of posture and plan. */
  readonly alerts: Answer;
}

/** An organisation with one project, a scanned image, and complete and fresh advisories of the package's ecosystem. */
export async function newWorld(service: TestService, ecosystem: Ecosystem, name: string, fixed = '7.0.0') {
  const organisation = await service.newOrganisation();
  const project = await newProject(service, organisation, 'shop');
  const cve = unique.cve();
  const range = { type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] };
  const affected = [{ package: { ecosystem, name }, ranges: [range] }];
  const modified = new Date().toISOString();
  // The stack of a tree may have others beside the asked one.
  await loadCovering(service, ['npm', ecosystem], record(unique.name(), name, { aliases: [cve], modified, affected }));
  const scanned = { ...trivyReport('acme/shop:1', []), CreatedAt: new Date().toISOString() };
  await inProject(service, organisation.writeKey, project, organisation).scan(scanned);
  const path = `/api/projects/${project}/tech-stack`;
  const answerOf = (body: unknown): Answer => ({
    status: at(body, 'coverage.status'),
    gaps: [at(body, 'coverage.gaps')].flat().map(String),
  });
  const get = async (url: string) => (await service.call(organisation.readKey, 'GET', url)).body;
  return {
    organisation,
    project,
    cve,
    /** `reach sync`, as its user runs it. */
    reach: (folder: string, ...args: readonly string[]) =>
      runReach(['sync', folder, '--project', project, ...args], {
        SERVICE_API_URL: service.url,
        SERVICE_API_KEY: organisation.writeKey,
      }),
    upload: (document: string | object, source = 'sbom') =>
      service.call(organisation.writeKey, 'POST', `${path}/sbom?source=${source}`, document),
    sync: (body: object) => service.call(organisation.writeKey, 'POST', `${path}/sync`, body),
    stack: (method: string, more: string, body?: object) =>
      service.call(organisation.writeKey, method, `${path}${more}`, body),
    async answers(): Promise<Answers> {
      return {
        exposed: answerOf(await get(`/api/intelligence/exposed?cve=${cve}`)),
        alerts: answerOf(await get(`/api/projects/${project}/alerts`)),
      };
    },
  };
}
