import { afterAll, beforeAll, describe, test } from 'vitest';
import { hasData } from '../../../support/data.js';
import { startService, type TestService } from '../../../support/service.js';
import { expectNoImage, expectTaken, none, type RealReport } from '../../containers/real-report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const reports: readonly RealReport[] = [
  {
    file: 'grype/many_vulns.json',
    ref: 'docker.io/library/python:3.6',
    findings: 1509,
    layers: { ...none, base_image: 1509 },
  },
  {
    file: 'grype/many_vulns2.json',
    ref: 'docker.io/library/python:3.7.10',
    findings: 1567,
    layers: { ...none, base_image: 1567 },
  },
  {
    file: 'grype/many_vulns4.json',
    image: 'acme/portal:9',
    ref: 'docker.io/acme/portal:9',
    findings: 9,
    layers: { ...none, unknown: 9 },
  },
  { file: 'grype/no_vuln.json', ref: 'docker.io/library/busybox:latest', findings: 0, layers: none },
];

describe.skipIf(!hasData)('a real report', () => {
  test.each(reports)('is taken: $file', (report) => expectTaken(service, report));

  test.each(reports.filter(({ image }) => image !== undefined))('needs the image: $file', (report) =>
    expectNoImage(service, report),
  );
});
