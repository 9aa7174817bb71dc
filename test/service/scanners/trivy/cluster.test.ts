import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../../support/at.js';
import { startService, type TestService } from '../../../support/service.js';
import { newScannedProject } from '../../containers/scanned-project.js';
import { diffIds, trivyReport, vulnerability } from './trivy-report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

type Json = Readonly<Record<string, unknown>>;

const system = (image: string, ...Vulnerabilities: readonly Json[]) => ({
  ...{ Target: `${image} (debian 12.5)`, Class: 'os-pkgs', Type: 'debian', Vulnerabilities },
});
const language = (...Vulnerabilities: readonly Json[]) => ({
  ...{ Target: 'app/bin', Class: 'lang-pkgs', Type: 'gobinary', Vulnerabilities },
});
const resource = (Name: string, Results: readonly unknown[], more: Json = {}) => ({
  ...{ Namespace: 'default', Kind: 'Deployment', Name, Results, ...more },
});
const cluster = (...Resources: readonly unknown[]) => ({ ClusterName: 'kind', Resources });

const [first, second, third] = [
  vulnerability('CVE-1990-1001', 'zlib1g'),
  vulnerability('CVE-1990-1002', 'libc6'),
  vulnerability('CVE-1990-1003', 'golang.org/x/net'),
];
const [redis, shop] = ['docker.io/redis:6.0.5', 'ghcr.io/acme/shop:1.2'];

describe('a report of a cluster', () => {
  test('is a scan of each of its images, however many resources run it', async () => {
    const { upload, items } = await newScannedProject(service);
    const misconfigured = { Target: 'Deployment/a', Class: 'config', Misconfigurations: [{}, {}] };
    const { status, body } = await upload(
      cluster(
        resource('a', [misconfigured]),
        resource('a', [system(redis, first)]),
        resource('b', [system('redis:6.0.5', first)]),
        resource('c', [system(shop, first, second), language(third)]),
      ),
    );
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        findings: { total: 4, new: 4 },
        tiers: { yellow: 4 },
        images: [
          { ref: 'docker.io/library/redis:6.0.5', findings: { total: 1 }, tiers: { yellow: 1 } },
          { ref: 'ghcr.io/acme/shop:1.2', findings: { total: 3 }, tiers: { yellow: 3 } },
        ],
        receipt: { rows: 7, taken: 4, merged: 1, skipped: 0, left_out: [{ kind: 'misconfigurations', count: 2 }] },
      },
    });
    expect(at(body, 'image_id')).toBe(at(body, 'images.1.image_id'));
    expect((await items('/images')).map(({ ref }) => ref)).toEqual(['docker.io/library/redis:6.0.5', shop]);
    expect(await items('/findings?image=redis:6.0.5')).toHaveLength(1);
  });

  test('and one of an image alone are of the same image', async () => {
    const { upload } = await newScannedProject(service);
    await upload(trivyReport(shop, [first, second]));
    expect(await upload(cluster(resource('c', [system(shop, first)])))).toMatchObject({
      body: { findings: { unchanged: 1, fixed: 1 } },
    });
    const report = cluster(resource('c', [system(shop, first)]), resource('d', [system(redis, first)]));
    expect(await upload(report)).toMatchObject({ body: { findings: { new: 1 }, duplicate: false } });
    expect(await upload(report)).toMatchObject({ body: { duplicate: true, findings: { total: 2, unchanged: 2 } } });
  });

  test('names an image without system packages in its metadata, and keeps the layers', async () => {
    const { upload, items } = await newScannedProject(service);
    const [base, app] = diffIds('base', 'app');
    const metadata = (tag: string) => ({
      ...{
        ImageID: 'sha256:1',
        RepoTags: [tag],
        RepoDigests: [`${tag}@sha256:${'a'.repeat(64)}`],
        DiffIDs: [base, app],
      },
    });
    const inLayer = { ...third, Layer: { DiffID: app } };
    await upload(trivyReport('acme/base:1', [], [], { DiffIDs: [base] }));
    await upload(cluster(resource('c', [language(inLayer)], { Metadata: [metadata(shop)] })));
    expect(await items('/findings')).toMatchObject([{ image_ref: shop, layer: 'own' }]);
    // As a summary writes it: one resource with all its images.
    const both = { Metadata: [metadata(shop), metadata(redis)] };
    const summary = resource('c', [system(shop, first), language(third), system(redis, second)], both);
    const { body } = await upload({ ClusterName: '', Findings: [summary] });
    expect(body).toMatchObject({
      images: [
        { ref: shop, findings: { new: 1, fixed: 0 } },
        { ref: 'docker.io/library/redis:6.0.5', findings: { new: 1 } },
      ],
      receipt: {
        ...{ rows: 3, taken: 2, skipped: 1 },
        skipped_rows: [{ pointer: '/Findings/0/Results/1/Vulnerabilities', reason: expect.stringMatching(/image/) }],
      },
    });
  });

  test('lists what was not scanned, and fixes nothing of an image with odd rows', async () => {
    const { upload } = await newScannedProject(service);
    await upload(cluster(resource('a', [system(shop, first, second)]), resource('b', [system(redis, first)])));
    const { status, body } = await upload(
      cluster(
        resource('x', [], { Error: 'scan error: \u001b[31munable\n to inspect' }),
        resource('a', [system(shop, first, { PkgName: 'a' })]),
        resource('b', [system(redis)]),
        'odd',
        resource('y', [language(third, third)]),
      ),
    );
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        findings: { fixed: 1, unchanged: 1 },
        receipt: {
          ...{ rows: 6, taken: 1, skipped: 5 },
          skipped_rows: [
            { pointer: '/Resources/0', reason: 'was not scanned: scan error: [31munable to inspect' },
            { pointer: '/Resources/1/Results/0/Vulnerabilities/1', reason: 'VulnerabilityID: is required (string)' },
            { pointer: '/Resources/3', reason: 'expected object, received string' },
            { pointer: '/Resources/4/Results/0/Vulnerabilities', reason: expect.stringMatching(/image/) },
          ],
        },
      },
    });
  });

  test('in the form of older versions is read too', async () => {
    const { upload } = await newScannedProject(service);
    const report = {
      ClusterName: 'kind',
      Vulnerabilities: [resource('a', [system(redis, first)])],
      Misconfigurations: [resource('a', [{ Target: 'a', Class: 'config', Misconfigurations: [{ Status: 'PASS' }] }])],
    };
    expect(await upload(report)).toMatchObject({
      body: { receipt: { rows: 2, taken: 1, left_out: [{ kind: 'passed', count: 1 }] } },
    });
  });

  test.each([
    ['no resources', { ClusterName: 'kind' }, 'report.Resources', 'not_container_report'],
    [
      'no image',
      cluster(resource('a', [{ Class: 'config', Misconfigurations: [{}] }])),
      'report',
      'not_container_report',
    ],
    ['odd resources alone', cluster('odd'), 'report.Resources.0', 'not_container_report'],
  ])('with %s is refused', async (_, report, field, reason) => {
    const { upload, items } = await newScannedProject(service);
    expect(await upload(report)).toMatchObject({ status: 422, body: { errors: [{ field, reason }] } });
    expect(await items('/images')).toEqual([]);
  });

  test('cannot be renamed where it has several images', async () => {
    const { upload, items } = await newScannedProject(service);
    const report = cluster(resource('a', [system(redis, first)]), resource('b', [system(shop, first)]));
    expect(await upload(report, 'acme/shop')).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'image', reason: 'several_images' }] },
    });
    expect(await items('/images')).toEqual([]);
  });
});
