import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { posture } from '../../../src/procedures/posture.js';
import type { RankedRisk } from '../../../src/procedures/risk.js';
import { readLockfile } from '../../../src/reach/lockfiles/lockfile.js';
import { syncedPackages } from '../../../src/reach/sync/synced-packages.js';
import type { Database } from '../../../src/service/db/database.js';
import { toRow } from '../../../src/service/feeds/advisory-rows.js';
import { writeAdvisories } from '../../../src/service/feeds/load-osv.js';
import { toAdvisory } from '../../../src/service/matching/advisory.js';
import { osvRecordSchema } from '../../../src/service/matching/osv-record.js';
import { dataFile, hasData } from '../../support/data.js';
import { ownDatabase } from '../../support/own-database.js';
import { publishedFixes } from '../../support/published-fixes.js';
import { startService, type TestService } from '../../support/service.js';
import { newStack } from '../alerts/stack.js';
import { readRecords } from '../matching/records.js';

type SyncedPackage = ReturnType<typeof syncedPackages>[number];

/** A database of its own: it holds the real advisories, which other tests do not expect. */
let database: Database;
let service: TestService;
beforeAll(async () => {
  if (!hasData) return;
  database = await ownDatabase();
  await publishedFixes(database);
  service = await startService({ database });
  const advisories = readRecords('ghsa-npm').map((record) => toAdvisory(osvRecordSchema.parse(record)));
  await database.system((tx) => writeAdvisories(tx, advisories.map(toRow)));
});
afterAll(async () => {
  if (!hasData) return;
  await service.close();
  await database.close();
});

describe.skipIf(!hasData)('NodeGoat’s top risks', () => {
  test('name each package once, with upgrades that close as many alerts as they say', async () => {
    const { packages } = await readLockfile(dataFile('lockfiles/nodegoat/package-lock.json'));
    const before = syncedPackages(packages);
    const stack = await newStack(service);
    const open = async (synced: readonly SyncedPackage[]) => {
      const body = { source: 'package-lock.json', packages: synced };
      const answer = await service.call(stack.key, 'POST', `/api/projects/${stack.projectId}/tech-stack/sync`, body);
      expect(answer.status).toBe(200);
      const rows = await stack.rows();
      return rows.filter(({ resolved_at }) => resolved_at === null);
    };
    const openBefore = await open(before);
    const { body } = await service.call(
      stack.key,
      'GET',
      `/api/posture/dependencies/risks?project_id=${stack.projectId}`,
    );
    const { risks } = posture.getDomainRisks.output.parse(body);
    expect(risks).toHaveLength(10);
    const names = risks.map(({ fix }) => fix?.package);
    expect(new Set(names).size).toBe(10);
    for (const { fix } of risks) {
      const ofPackage = openBefore.filter((row) => row.name === fix?.package).length;
      expect([fix?.package, (fix?.closes ?? 0) + (fix?.leaves ?? 0)]).toEqual([fix?.package, ofPackage]);
    }
    expect(risks.find(({ fix }) => fix?.package === 'minimist')?.fix).toEqual({
      package: 'minimist',
      steps: [
        { from: '1.2.5', to: '1.2.6', status: 'published', direct: 'pkg:npm/forever@2.0.0' },
        { from: '1.2.0', to: '1.2.6', status: 'published', direct: 'pkg:npm/cypress@3.3.1' },
        { from: '0.0.10', to: '0.2.4', status: 'published', direct: 'pkg:npm/forever@2.0.0' },
      ],
      ...{ more: 1, scope: 'runtime', closes: 2, leaves: 0, priority: null },
    });
    // Of those with more versions than are named, the sync is not known.
    for (const { fix } of risks.filter((risk) => risk.fix?.more === 0)) {
      const after = await open(before.map((each) => upgraded(each, fix)));
      const left = after.filter((row) => row.name === fix?.package).length;
      expect([fix?.package, left]).toEqual([fix?.package, fix?.leaves]);
      expect(after).toHaveLength(openBefore.length - (fix?.closes ?? 0));
    }
  });
});

/** A package in its target's version, where the fix names one. */
function upgraded(each: SyncedPackage, fix: RankedRisk['fix']): SyncedPackage {
  if (fix?.package !== each.name) return each;
  const step = fix?.steps.find(({ from }) => from === each.version);
  return { ...each, version: step?.to ?? each.version };
}
