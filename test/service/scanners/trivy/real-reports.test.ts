import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasData } from '../../../support/data.js';
import { startService, type TestService } from '../../../support/service.js';
import { expectNoImage, expectTaken, none, type RealReport } from '../../containers/real-report.js';
import { newScannedProject } from '../../containers/scanned-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const reports: readonly RealReport[] = [
  {
    file: 'trivy/scb-juice-shop-v12.10.2.json',
    ref: 'docker.io/bkimminich/juice-shop:v12.10.2',
    findings: 182,
    layers: { base_image: 40, own: 142, unknown: 0 },
    leftOut: { secrets: 3 },
  },
  {
    file: 'trivy/scb-juice-shop-v12.10.2-empty-results.json',
    ref: 'docker.io/bkimminich/juice-shop:v12.10.2',
    findings: 0,
    layers: none,
  },
  {
    file: 'trivy/dd-issue_9333.json',
    image: 'noppaknopsta/example-app:main-159',
    ref: 'docker.io/noppaknopsta/example-app:main-159',
    findings: 13,
    layers: { base_image: 13, own: 0, unknown: 0 },
  },
  {
    file: 'trivy/dd-scheme_2_many_vulns.json',
    ref: 'docker.io/library/teamdojo:latest',
    findings: 5,
    layers: { ...none, unknown: 5 },
  },
  { file: 'trivy/dd-scheme_2_no_vuln.json', ref: 'docker.io/library/trivy-unittest:latest', findings: 0, layers: none },
  {
    file: 'trivy/dd-cvssv4_severity_source.json',
    image: 'ghcr.io/acme/catalina:1',
    ref: 'ghcr.io/acme/catalina:1',
    findings: 3,
    layers: { ...none, unknown: 3 },
  },
  {
    file: 'trivy/dd-misconfigurations_and_secrets.json',
    image: 'acme/app',
    ref: 'docker.io/acme/app:latest',
    findings: 2,
    layers: { ...none, unknown: 2 },
    leftOut: { misconfigurations: 1, secrets: 2 },
  },
  {
    // Of 42 rows two tell of another version of a package in the same lock file.
    file: 'trivy/scb-securecodebox-repo.json',
    image: 'acme/securecodebox:4',
    ref: 'docker.io/acme/securecodebox:4',
    findings: 40,
    layers: { ...none, unknown: 40 },
    rows: 42,
    leftOut: { secrets: 1 },
  },
];

describe.skipIf(!hasData)('a real report', () => {
  test.each(reports)('is taken: $file', (report) => expectTaken(service, report));

  test.each(reports.filter(({ image }) => image !== undefined))('needs the image: $file', (report) =>
    expectNoImage(service, report),
  );

  test('that is a list', async () => {
    const { upload } = await newScannedProject(service);
    expect(await upload([])).toMatchObject({ status: 422, body: { errors: [{ field: 'report' }] } });
  });
});
