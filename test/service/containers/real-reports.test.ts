import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasData } from '../../support/data.js';
import { at, startService, type TestService } from '../../support/service.js';
import { newScannedProject, realReport } from './reports.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Taken {
  readonly file: string;
  /** Given with the upload, where the report names no image. */
  readonly image?: string;
  readonly ref: string;
  /** By jq over the file: distinct vulnerability, package and place. */
  readonly findings: number;
  readonly layers: Readonly<Record<'base_image' | 'own' | 'unknown', number>>;
  readonly leftOut?: { readonly misconfigurations: number; readonly secrets: number };
}

const none = { base_image: 0, own: 0, unknown: 0 };

/** Every file but those that are refused below. */
const taken: readonly Taken[] = [
  {
    file: 'trivy/scb-juice-shop-v12.10.2.json',
    ref: 'docker.io/bkimminich/juice-shop:v12.10.2',
    findings: 182,
    layers: { base_image: 40, own: 142, unknown: 0 },
    leftOut: { misconfigurations: 0, secrets: 3 },
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
    leftOut: { misconfigurations: 0, secrets: 1 },
  },
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

describe.skipIf(!hasData)('a real report is taken', () => {
  test.each(taken)('$file: $findings findings', async ({ file, image, ref, findings, layers, leftOut }) => {
    const { upload, items } = await newScannedProject(service);
    const report = realReport(file);
    const answer = await upload(report, image);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        duplicate: false,
        findings: { total: findings, new: findings, fixed: 0 },
        left_out: leftOut ?? { misconfigurations: 0, secrets: 0 },
      },
    });
    const listed = await items('/findings');
    expect(listed).toHaveLength(findings);
    const counted = { ...none };
    for (const { layer } of listed) {
      if (layer === 'base_image' || layer === 'own' || layer === 'unknown') counted[layer] += 1;
    }
    expect(counted).toEqual(layers);
    const tiers = at(answer.body, 'tiers');
    expect(await items('/images')).toMatchObject([{ ref, tiers, monitored: false }]);
    expect(await upload(report, image)).toMatchObject({
      body: { duplicate: true, findings: { total: findings, new: 0, reopened: 0, fixed: 0 } },
    });
  });
});

describe.skipIf(!hasData)('a real report is refused', () => {
  test.each([
    'trivy/dd-issue_9333.json',
    'trivy/dd-cvssv4_severity_source.json',
    'trivy/dd-misconfigurations_and_secrets.json',
    'trivy/scb-securecodebox-repo.json',
    'grype/many_vulns4.json',
  ])('%s, which names no image, while none is given', async (file) => {
    const { upload, findings } = await newScannedProject(service);
    expect(await upload(realReport(file))).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', errors: [{ field: 'image', reason: 'no_image_ref' }] },
    });
    expect(await findings()).toEqual([]);
  });

  test('trivy/scb-test-empty-report.json, a list', async () => {
    const { upload } = await newScannedProject(service);
    expect(await upload([])).toMatchObject({ status: 422, body: { errors: [{ field: 'report' }] } });
  });
});
