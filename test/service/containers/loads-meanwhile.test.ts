import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database, Transaction } from '../../../src/service/db/database.js';
import { ProjectOccupied } from '../../../src/service/db/project-occupied.js';
import { ownDatabase } from '../../support/own-database.js';
import { gate } from '../../support/posture-service.js';
import { startService, type TestService } from '../../support/service.js';
import { kevCatalogue } from '../feeds/feed-files.js';
import { held, startLoad, writtenOrWaiting } from '../feeds/load-beside.js';
import { range, reportsPath, sarif, stepped } from '../landing/code-reports.js';
import { trivyReport, vulnerability } from '../scanners/trivy/trivy-report.js';
import { newScannedProject } from './scanned-project.js';

let database: Database;
/** Calls back before each commit. */
let holding: TestService;
let beforeCommit: (tx: Transaction) => Promise<void> = async () => {};
/** Writes in steps. */
let writing: TestService;
let afterStep = async () => {};
beforeAll(async () => {
  database = await ownDatabase();
  holding = await startService({ database: held(database, (tx) => beforeCommit(tx)) });
  writing = await startService({ database: stepped(database, () => afterStep()), jwtKey: holding.jwtKey });
});
afterAll(async () => {
  await writing.close();
  await holding.close();
  await database.close();
});

let day = 0;

/** Loads a catalogue that lists the vulnerability alone. */
function listAsExploited(cveID: string, within = database) {
  day += 1;
  const dateReleased = new Date(Date.UTC(2025, 0, day)).toISOString();
  return startLoad(
    within,
    'kev',
    'kev.json',
    kevCatalogue([{ cveID, dateAdded: '2025-01-01', dueDate: null }], { dateReleased }),
  );
}

test('an image that becomes monitored while a feed is loaded shows what the feed brought', async () => {
  const { scan, items, key, path } = await newScannedProject(holding);
  const cve = 'CVE-2097-1001';
  const id = await scan(trivyReport('shop:1', [vulnerability(cve, 'a')]));
  const [evaluated, committing] = [gate(), gate()];
  beforeCommit = async (tx) => {
    const image = await tx.selectFrom('container_images').select('monitored').where('id', '=', id).executeTakeFirst();
    if (image?.monitored !== true) return;
    evaluated.open();
    await committing.opened;
  };
  const watching = holding.call(key, 'PATCH', `${path}/images/${id}`, { monitored: true });
  await evaluated.opened;
  const { ended } = await listAsExploited(cve);
  await writtenOrWaiting(database, ended);
  committing.open();
  expect((await watching).status).toBe(200);
  beforeCommit = async () => {};
  await ended;
  expect(await items(`/findings?image=${id}`)).toMatchObject([
    { vulnerability_id: cve, kev: { date_added: '2025-01-01' } },
  ]);
});

test('a feed whose image has to wait for a long upload to its project is loaded to its end', async () => {
  const { scan, items, key, path, projectId } = await newScannedProject(holding);
  const cve = 'CVE-2097-1002';
  const id = await scan(trivyReport('shop:1', [vulnerability(cve, 'a')]));
  await holding.call(key, 'PATCH', `${path}/images/${id}`, { monitored: true });
  const [begun, refused] = [gate(), gate()];
  afterStep = async () => {
    begun.open();
    await refused.opened;
  };
  const uploading = writing.call(key, 'POST', reportsPath(projectId), sarif(range(0, 50)));
  await begun.opened;
  // Longer than one attempt waits for it.
  const { ended } = await listAsExploited(cve, {
    ...stepped(database, async () => {}),
    tenant: (tenant, work, options) =>
      database.tenant(tenant, work, options).catch((error: unknown) => {
        if (error instanceof ProjectOccupied) refused.open();
        throw error;
      }),
  });
  expect(await ended).toMatchObject({ outcome: 'loaded' });
  expect((await uploading).status).toBe(200);
  afterStep = async () => {};
  expect(await items(`/findings?image=${id}`)).toMatchObject([
    { vulnerability_id: cve, kev: { date_added: '2025-01-01' } },
  ]);
});
