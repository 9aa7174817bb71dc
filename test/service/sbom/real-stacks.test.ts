import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { toRow } from '../../../src/service/feeds/advisory-rows.js';
import { writeAdvisories } from '../../../src/service/feeds/load-osv.js';
import { toAdvisory } from '../../../src/service/matching/advisory.js';
import { osvRecordSchema } from '../../../src/service/matching/osv-record.js';
import { at } from '../../support/at.js';
import { hasData } from '../../support/data.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { readPackageLock } from '../matching/lock-packages.js';
import { readRecords } from '../matching/records.js';
import { countPurls, readSbomFile } from '../tech-stack/sboms.js';
import { exportedProject } from './exported-project.js';
import { faultsOf } from './strict-validator.js';

/** A database of its own: it holds the real advisories, which other tests do not expect. */
let database: Database;
let service: TestService;
beforeAll(async () => {
  if (!hasData) return;
  database = await ownDatabase();
  service = await startService({ database });
  const advisories = readRecords('ghsa-npm').map((record) => toAdvisory(osvRecordSchema.parse(record)));
  await database.system((tx) => writeAdvisories(tx, advisories.map(toRow)));
});
afterAll(async () => {
  if (!hasData) return;
  await service.close();
  await database.close();
});

describe.skipIf(!hasData)('real stacks export valid documents, with and without VEX', () => {
  test.each([
    ['NodeGoat', 'lockfiles/nodegoat/package-lock.json', 131],
    ['Juice Shop', 'lockfiles/juice-shop/package-lock.generated-2026-11-21.json', null],
  ])('%s', async (_, path, vulnerabilities) => {
    const project = await exportedProject(service);
    const packages = readPackageLock(path).map(({ name, version }, place) => ({
      ecosystem: 'npm',
      name,
      version,
      ...(place % 3 === 0 && { direct: true }),
    }));
    const distinct = new Set(packages.map(({ name, version }) => `${name}@${version}`)).size;
    const synced = await project.syncAll(packages);
    expect(synced).toMatchObject({ status: 200, body: { added: distinct } });
    const [plain, full] = [await project.document(), await project.document('?vex=true')];
    expect(await faultsOf(plain)).toBeNull();
    expect(await faultsOf(full)).toBeNull();
    expect(at(plain, 'components.length')).toBe(distinct);
    expect(at(full, 'vulnerabilities.length')).toBe(vulnerabilities ?? at(synced.body, 'alerts.opened'));
    expect(at(full, 'vulnerabilities.length')).toBeGreaterThan(10);
    expect(at(await project.openVex(), 'statements.length')).toBe(at(full, 'vulnerabilities.length'));
    expect(JSON.stringify(full)).not.toContain('not_affected');

    const copy = await exportedProject(service);
    expect(await copy.call('POST', '/tech-stack/sbom', full)).toMatchObject({
      status: 200,
      body: { added: distinct, receipt: { rows: distinct, taken: distinct, skipped: 0 } },
    });
    expect(at(await copy.document(), 'components')).toEqual(at(plain, 'components'));
  });

  test.each([
    'SBOM__dropwizard-1.3.15__bom.json',
    'SBOM__laravel-7.12.0__bom.1.4.json',
    'SBOM__proton-bridge__proton-bridge-v1.8.0.bom.json',
  ])('%s, uploaded and exported', async (name) => {
    const project = await exportedProject(service);
    const given = readSbomFile(name);
    await project.call('POST', '/tech-stack/sbom', given);
    const document = await project.document('?vex=true');
    expect(await faultsOf(document)).toBeNull();
    expect(countPurls(document).distinct).toBe(countPurls(given).distinct);
  });
});
