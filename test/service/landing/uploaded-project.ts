import { sql } from 'kysely';
import { expect } from 'vitest';
import { setTableNames } from '../../../src/service/landing/set-tables.js';
import type { TestService } from '../../support/service.js';
import { newOrganisationWithProject } from '../projects/new-project.js';
import { dependency, report } from '../reachability/report.js';
import { trivyReport, vulnerability } from '../scanners/trivy/trivy-report.js';
import { range, readAll, reportsPath, sarif } from './code-reports.js';

const purl = 'pkg:npm/left-pad@1.0.0';

const sbom = (version: string) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  metadata: { component: { name: 'shop', 'bom-ref': 'root' } },
  components: [
    { name: 'left-pad', purl: `pkg:npm/left-pad@${version}`, 'bom-ref': 'left-pad' },
    { name: 'right-pad', purl: 'pkg:npm/right-pad@1.0.0', 'bom-ref': 'right-pad' },
    { name: 'curl', purl: 'pkg:deb/debian/curl@7.50.3-1', version },
  ],
  vulnerabilities: [{ id: 'CVE-1990-1001', affects: [{ ref: 'left-pad' }] }],
  dependencies: [{ ref: 'root', dependsOn: ['left-pad'] }],
});

/** A project that gets an upload of every kind, of which two in a row differ. */
export async function uploadedProject(service: TestService) {
  const { organisation, projectId } = await newOrganisationWithProject(service);
  const key = organisation.writeKey;
  const path = `/api/projects/${projectId}`;
  const ofVersion = (odd: boolean): [string, object][] => [
    [reportsPath(projectId), sarif(odd ? range(0, 20) : range(5, 25), odd ? 'error' : 'warning')],
    [
      `${path}/containers/reports`,
      trivyReport('acme/shop:1', [vulnerability('CVE-1990-1001', odd ? 'zlib1g' : 'libc6')]),
    ],
    [`${path}/tech-stack/sbom`, sbom(odd ? '1.0.0' : '1.0.1')],
    [`${path}/reachability/usage-reports`, report([dependency(purl, odd ? 'imported' : 'reached')])],
  ];
  return {
    organisation,
    key,
    path,
    async upload(to: TestService, odd: boolean): Promise<void> {
      for (const [at, body] of ofVersion(odd)) {
        const answer = await to.call(key, 'POST', at, body);
        expect(answer.status, `${at}: ${JSON.stringify(answer.body)}`).toBe(200);
      }
    },
    /** What the uploads have left, without ids and times. */
    async read(): Promise<unknown> {
      const { pages, summary } = Object(await readAll(service, key, projectId));
      const rest = await Promise.all(
        [
          '/containers/findings?state=all',
          '/containers/images',
          '/tech-stack',
          '/tech-stack/reported-vulnerabilities',
          '/reachability/verdicts',
        ].map(async (of) => (await service.call(key, 'GET', `${path}${of}`)).body),
      );
      const { body: posture } = await service.call(key, 'GET', '/api/posture/projects');
      const { body: stack } = await service.call(key, 'GET', `${path}/tech-stack`);
      const { name: _name, ...counted } = Object(posture).items[0];
      // Kept by the database, in rows of their own for a set.
      expect(counted.packages).toBe(Object(stack).total);
      return JSON.parse(
        JSON.stringify([pages, summary, rest, counted], (name, value: unknown) =>
          /(^|_)id$|_at$|^as_of$|^project$|^generated|^href$|^next/.test(name) ? undefined : value,
        ),
      );
    },
    /** Versions of rows that an upload has replaced, which nobody sees. */
    async replaced(): Promise<readonly string[]> {
      const counted = await service.database.system((tx) =>
        Promise.all(
          setTableNames.map(async (table) => {
            const { rows } = await sql`
              select from ${sql.table(table)} where organisation_id = ${organisation.id} and removed_in <> 0`.execute(
              tx,
            );
            return rows.length > 0 ? [table] : [];
          }),
        ),
      );
      return counted.flat();
    },
  };
}
