import { afterAll, beforeAll, expect, test } from 'vitest';
import { continueEvaluations } from '../../../src/service/containers/evaluate-images.js';
import type { Database } from '../../../src/service/db/database.js';
import { loadFeed } from '../../../src/service/feeds/load.js';
import { reconcileWith } from '../../../src/service/feeds/load-context.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { feedFile, kevCatalogue } from '../feeds/feed-files.js';
import { trivyReport, vulnerability } from '../scanners/trivy/trivy-report.js';
import { newScannedProject } from './scanned-project.js';

let database: Database;
let service: TestService;
beforeAll(async () => {
  database = await ownDatabase();
  service = await startService({ database });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

async function load(kind: 'epss' | 'kev', name: string, content: string) {
  const file = await feedFile(name, content);
  const context = { database, reconcile: reconcileWith(database) };
  await loadFeed(context, { kind, file, part: '', onBad: 'report', validator: null });
}

test('a feed that is loaded re-judges what monitored images have', async () => {
  const { scan, items, key, path } = await newScannedProject(service);
  const id = await scan(
    trivyReport('shop:1', [vulnerability('CVE-2021-3807', 'a'), vulnerability('CVE-2021-0001', 'b')]),
  );
  await service.call(key, 'PATCH', `${path}/images/${id}`, { monitored: true });
  expect(await items('/images')).toMatchObject([{ tiers: { red: 0, yellow: 2 } }]);
  await load(
    'epss',
    'epss_scores-2025-08-15.csv',
    '#model_version:v2025.03.14,score_date:2025-08-15T00:00:00+0000\ncve,epss,percentile\nCVE-2021-3807,0.25,0.96\n',
  );
  expect(await items('/findings')).toMatchObject([
    {
      vulnerability_id: 'CVE-2021-3807',
      tier: 'RED',
      epss: { probability: 0.25, percentile: 0.96, date: '2025-08-15' },
    },
    { vulnerability_id: 'CVE-2021-0001', tier: 'YELLOW', epss: null },
  ]);
  const entry = {
    cveID: 'CVE-2021-0001',
    dateAdded: '2025-08-01',
    dueDate: '2025-08-22',
    knownRansomwareCampaignUse: 'Known',
  };
  await load('kev', 'kev.json', kevCatalogue([entry]));
  expect(await items('/images')).toMatchObject([{ tiers: { red: 2, yellow: 0 } }]);
  expect((await items('/findings')).find((row) => row['vulnerability_id'] === 'CVE-2021-0001')).toMatchObject({
    kev: { date_added: '2025-08-01', due_date: '2025-08-22', ransomware: true },
  });
});

test('an image with more findings than one transaction has room for is judged to the end', async () => {
  const { scan, items, key, path } = await newScannedProject(service);
  const numbers = Array.from({ length: 700 }, (_, at) => at + 1000);
  const id = await scan(
    trivyReport(
      'large:1',
      numbers.map((number) => vulnerability(`CVE-2019-${number}`, 'a')),
    ),
  );
  const known = numbers.map((number) => ({
    cveID: `CVE-2019-${number}`,
    dateAdded: '2025-08-01',
    dueDate: '2025-08-22',
    knownRansomwareCampaignUse: 'Unknown',
  }));
  await load('kev', 'kev.json', kevCatalogue(known));
  expect((await service.call(key, 'PATCH', `${path}/images/${id}`, { monitored: true })).status).toBe(200);
  const isKnown = async () => (await items('/findings')).filter(({ kev }) => kev !== null).length;
  expect(await isKnown()).toBe(500);
  await continueEvaluations(database);
  expect(await isKnown()).toBe(700);
  const [image] = await items('/images');
  expect(image).toMatchObject({ tiers: { red: 700 } });
  await continueEvaluations(database);
});
