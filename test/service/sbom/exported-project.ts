import type { TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { projectWithVerdicts } from '../reachability/project-with-verdicts.js';

/** An organisation that may export, with a project whose documents a test reads over HTTP. */
export async function exportedProject(service: TestService) {
  const project = await projectWithVerdicts(service, 'Enterprise');
  const { organisation, path } = project;
  const call = (method: string, rest: string, body?: unknown) =>
    service.call(organisation.writeKey, method, `${path}${rest}`, body);
  const read = async (rest: string) => {
    const { status, body } = await call('GET', rest);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  };
  return {
    ...project,
    call,
    syncAll: (packages: readonly unknown[], source = 'lock') => call('POST', '/tech-stack/sync', { source, packages }),
    summary: (query = '') => read(`/sbom${query}`),
    document: (query = '') => read(`/sbom/document${query}`),
    openVex: () => read('/vex'),
    /** A package of its own at 1.0.0, with an advisory on everything below 2.0.0. */
    async vulnerable() {
      const [name, cve, id] = [unique.packageName(), unique.cve(), unique.advisoryId()];
      const facts = {
        severity: 'high',
        cvss_version: '3.1',
        cvss_score: 7.5,
        cvss_vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
      } as const;
      await storeAdvisory(service.database, name, advisory(id, '0', '2.0.0', { cves: [cve], ...facts }));
      return { name, cve, advisoryId: id, purl: `pkg:npm/${name}@1.0.0` };
    },
  };
}

export type ExportedProject = Awaited<ReturnType<typeof exportedProject>>;
