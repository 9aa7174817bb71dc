import { afterAll, beforeAll, expect, test } from 'vitest';
import { at } from '../../../support/at.js';
import { startService, type TestService } from '../../../support/service.js';
import { newScannedProject } from '../../containers/scanned-project.js';
import { diffIds, layersOf, trivyReport } from '../trivy/trivy-report.js';
import { grypeMatch, grypeReport } from './grype-report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('a package’s layer is that of its own files, not of the database that all packages share', async () => {
  const { upload, items, scan } = await newScannedProject(service);
  const layers = diffIds('base', 'app', 'late');
  const [base, app, late] = layers;
  await scan(trivyReport('debian:12', [], [], layersOf('base')));
  const status = (layerID = late) => ({ path: '/var/lib/dpkg/status', layerID });
  const own = (layerID: string | undefined) => ({ path: '/var/lib/dpkg/info/a.md5sums', layerID });
  const copyright = { path: '/usr/share/doc/a/copyright', layerID: base };
  const deb = (name: string, locations: readonly object[]) =>
    grypeMatch('CVE-1990-1006', { name, purl: 'pkg:deb/debian/a@1', locations });
  await upload(
    grypeReport(
      'acme/shop:1',
      [
        deb('from-base', [status(), own(base)]),
        deb('upgraded', [status(), own(app), copyright]),
        deb('shared-only', [status()]),
        deb('shared-below', [status(base)]),
        deb('nowhere', [{ path: '/x', layerID: 'sha256:other' }]),
      ],
      { layers: layers.map((digest) => ({ digest })) },
    ),
  );
  const told = (await items('/findings')).map((row) => [at(row, 'package.name'), row['layer']]);
  expect(told.sort()).toEqual([
    ['from-base', 'base_image'],
    ['nowhere', 'unknown'],
    ['shared-below', 'base_image'],
    ['shared-only', 'unknown'],
    ['upgraded', 'own'],
  ]);
});
