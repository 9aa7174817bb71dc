import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readLockfile } from '../../../src/reach/lockfiles/lockfile.js';
import { syncedPackages } from '../../../src/reach/sync/synced-packages.js';
import type { Database } from '../../../src/service/db/database.js';
import { toRow } from '../../../src/service/feeds/advisory-rows.js';
import { writeAdvisories } from '../../../src/service/feeds/load-osv.js';
import { toAdvisory } from '../../../src/service/matching/advisory.js';
import { osvRecordSchema } from '../../../src/service/matching/osv-record.js';
import { at } from '../../support/at.js';
import { dataFile, hasData } from '../../support/data.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { readRecords } from '../matching/records.js';
import { conventionFaults } from './conventions.js';
import { type ExportedProject, exportedProject } from './exported-project.js';
import { schemaFaultsOf } from './official-schema.js';
import { faultsOf } from './strict-validator.js';

/** A database of its own: it holds the real advisories, which other tests do not expect. */
let database: Database;
let service: TestService;
beforeAll(async () => {
  if (!hasData) return;
  database = await ownDatabase();
  service = await startService({ database });
  for (const file of ['ghsa-npm', 'ghsa-maven', 'go-vulndb'] as const) {
    const advisories = readRecords(file).map((record) => toAdvisory(osvRecordSchema.parse(record)));
    await database.system((tx) => writeAdvisories(tx, advisories.map(toRow)));
  }
});
afterAll(async () => {
  if (!hasData) return;
  await service.close();
  await database.close();
});

/** A copy of a lock file under the name that its tool gives it, with its manifest beside it. */
async function named(path: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const name = /(package-lock|pnpm-lock|composer|yarn)\.(?:.*\.)?(json|yaml|lock)$|-(composer|yarn)\.lock$/.exec(path);
  const file = name?.[3] === undefined ? `${name?.[1]}.${name?.[2]}` : `${name[3]}.lock`;
  await copyFile(dataFile(path), join(folder, file));
  const manifest = dataFile(join(dirname(path), 'package.json'));
  if (existsSync(manifest)) await copyFile(manifest, join(folder, 'package.json'));
  return join(folder, file);
}

/** What of a project's stack, its graph and its alerts must survive. Source and ids are each project's own. */
async function stateOf({ projectId }: ExportedProject) {
  // The system sees rows that were replaced too.
  const isThere = sql<boolean>`project_id = ${projectId} and removed_in = 0`;
  const { items, others, alerts } = await database.system(async (tx) => ({
    items: await tx.selectFrom('tech_stack_items').selectAll().where(isThere).execute(),
    others: await tx.selectFrom('unmatched_components').selectAll().where(isThere).execute(),
    alerts: await tx.selectFrom('alerts').selectAll().where('project_id', '=', projectId).execute(),
  }));
  return {
    items: items
      .map(({ id, organisation_id, project_id, source, revision, added_at, updated_at, added_in, ...item }) => item)
      // CycloneDX has no field for whose archive carries a component, nor for ranges and the manifests that ask for it.
      .map(({ bundled_in, ranges, asked_by, ...item }) => item)
      .map((item) => JSON.stringify(item))
      .sort(),
    others: others
      .map(({ organisation_id, project_id, source, updated_at, added_in, ...other }) => JSON.stringify(other))
      .sort(),
    alerts: alerts
      .map(({ ecosystem, package_name, vulnerability_id, versions, tier, safe_version }) =>
        JSON.stringify({ ecosystem, package_name, vulnerability_id, versions, tier, safe_version }),
      )
      .sort(),
  };
}

/** A document without what names its project and the time. */
function comparable(document: unknown, projectId: string) {
  const { serialNumber, metadata, vulnerabilities, ...rest } = Object(document);
  return JSON.parse(JSON.stringify(rest).replaceAll(`project:${projectId}`, 'project'));
}

async function expectValid(document: unknown) {
  expect(await faultsOf(document)).toBeNull();
  expect(schemaFaultsOf(document)).toEqual([]);
  expect(conventionFaults(document)).toEqual([]);
}

/** Exports a project, uploads the document to a fresh one, and expects the same in both. */
async function expectRoundTrip(from: ExportedProject) {
  const [document, plain] = [await from.document('?vex=true'), await from.document()];
  const to = await exportedProject(service);
  const upload = await to.call('POST', '/tech-stack/sbom', document);
  const count = Number(at(document, 'components.length'));
  expect(upload).toMatchObject({ status: 200, body: { receipt: { rows: count, taken: count, skipped: 0 } } });
  expect(await stateOf(to)).toEqual(await stateOf(from));
  expect(at(upload.body, 'vulnerabilities')).toMatchObject({
    taken: at(document, 'vulnerabilities.length'),
    without_alert: 0,
  });
  const again = await to.document('?vex=true');
  // Last: validators block this process, and with it the service, for seconds.
  await expectValid(document);
  await expectValid(plain);
  expect(comparable(again, to.projectId)).toEqual(comparable(document, from.projectId));
  return { document, components: count };
}

describe.skipIf(!hasData)(
  'a lock file, synced, exported and uploaded again, gives the same stack, graph and alerts',
  () => {
    test.each([
      ['lockfiles/nodegoat/package-lock.json', 131],
      ['lockfiles/juice-shop/package-lock.generated-2026-11-21.json', 1],
      ['lockfiles/trpc/pnpm-lock.yaml', 1],
      ['lockfiles/mcp-conformance/package-lock.json', 0],
      ['lockfiles/osv-scanner-composer.lock', 0],
      ['lockfiles/defectdojo-yarn.lock', 1],
    ])('%s', async (path, leastAlerts) => {
      const { packages } = await readLockfile(await named(path));
      const project = await exportedProject(service);
      const synced = await project.syncAll(syncedPackages(packages), path);
      expect(synced.status).toBe(200);
      expect(at(synced.body, 'alerts.opened')).toBeGreaterThanOrEqual(leastAlerts);
      const { document } = await expectRoundTrip(project);
      const edges = Number(at(document, 'dependencies.length'));
      expect(edges).toBeGreaterThan(packages.length / 4);
    });
  },
);

describe.skipIf(!hasData)(
  'an SBOM, uploaded, exported and uploaded again, gives the same stack, graph and alerts',
  () => {
    test.each([
      'cyclonedx/SBOM__juice-shop__via_npm__flat__bom.1.4.json',
      'cyclonedx/SBOM__proton-bridge__proton-bridge-v1.8.0.bom.json',
      'cyclonedx/SBOM__laravel-7.12.0__bom.1.4.json',
      'cyclonedx/SBOM__dropwizard-1.3.15__bom.json',
    ])('%s', async (path) => {
      const project = await exportedProject(service);
      const upload = await project.call('POST', '/tech-stack/sbom', JSON.parse(readFileSync(dataFile(path), 'utf8')));
      expect(upload.status).toBe(200);
      const { document } = await expectRoundTrip(project);
      // Nobody said that any of these lists is complete.
      expect(JSON.stringify(at(document, 'compositions'))).not.toContain('"complete"');
    });
  },
);
