import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/service/db/database.js';
import { toRow } from '../../src/service/feeds/advisory-rows.js';
import { writeAdvisories } from '../../src/service/feeds/load-osv.js';
import { toAdvisory } from '../../src/service/matching/advisory.js';
import { osvRecordSchema } from '../../src/service/matching/osv-record.js';
import { createRegistryLookup, type RegistryLookup } from '../../src/service/registries/registry-lookup.js';
import { readRecords } from '../service/matching/records.js';
import { hasData } from '../support/data.js';
import { ownDatabase } from '../support/own-database.js';
import { freshAdvisories } from '../support/published-fixes.js';
import { startService, type TestService } from '../support/service.js';
import { projects } from './projects.js';
import { type Outcome, prove } from './prove.js';
import { tableOf } from './table.js';

describe.skipIf(!hasData)('what is certain of a plan (skipped where the real data is absent)', () => {
  let database: Database;
  let service: TestService;
  let lookup: RegistryLookup;
  const outcomes: Outcome[] = [];

  beforeAll(async () => {
    database = await ownDatabase();
    await freshAdvisories(database);
    service = await startService({ database });
    const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry']);
    lookup = createRegistryLookup({ database, urls: { npm: stdout.trim() }, timeoutMs: 60_000 });
    const records = [...readRecords('ghsa-npm'), ...readRecords('osv-npm-recent')];
    const advisories = records.map((record) => toAdvisory(osvRecordSchema.parse(record)));
    await database.system((tx) => writeAdvisories(tx, advisories.map(toRow)));
  });
  afterAll(async () => {
    console.log(tableOf(outcomes));
    await lookup.close();
    await service.close();
    await database.close();
  });

  test.each(projects)(
    'for $name happens when $manager carries it out',
    async (project) => {
      const outcome = await prove(service, lookup, project);
      outcomes.push(outcome);
      console.log(tableOf([outcome]));
      expect(outcome.before, 'nothing to plan').toBeGreaterThan(0);
      expect(outcome).toMatchObject({ refused: null, missing: [], wrong: [] });
    },
    1_800_000,
  );
});
