import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextPackages, type PackagePlace, type TrackedPackage } from '../../../src/service/alerts/tracked-packages.js';
import type { Transaction } from '../../../src/service/db/database.js';
import type { ProjectKey } from '../../../src/service/projects/find-project.js';
import { startService, type TestService } from '../../support/service.js';
import { newOrganisationWithProject } from '../projects/new-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A project that tracks packages, each in two versions, and has an open alert on every second one and on some others. */
async function newProject(packages: number): Promise<ProjectKey> {
  const { organisation, projectId } = await newOrganisationWithProject(service);
  const organisationId = organisation.id;
  await service.database.system(async (tx) => {
    await sql`
      insert into tech_stack_items (organisation_id, project_id, id, source, ecosystem, name, package_name, version, scope)
      select ${organisationId}, ${projectId}, ${projectId} || n || '-' || v, 'lock', 'npm', 'package-' || n, 'package-' || n,
        v || '.0.0', 'runtime' from generate_series(1, ${packages}::int) n, generate_series(1, 2) v`.execute(tx);
    await sql`
      insert into alerts (organisation_id, project_id, id, vulnerability_id, ecosystem, package_name, advisory_ids, cves,
        title, versions, malicious, tier, turns)
      select ${organisationId}, ${projectId}, ${projectId} || n, 'CVE-1990-' || n, 'npm', 'package-' || n, '{any}', '{}', 'any',
        '{1.0.0}', false, 'GREEN', turn('{}', now())
      from generate_series(2, ${packages + 10}::int, 2) n`.execute(tx);
  });
  return { organisationId, projectId };
}

async function walk(tx: Transaction, project: ProjectKey, weight: number): Promise<TrackedPackage[]> {
  const all: TrackedPackage[] = [];
  let after: PackagePlace;
  do {
    const page = await nextPackages(tx, project, 'all', after, weight);
    all.push(...page.packages);
    after = page.next;
  } while (after !== undefined);
  return all;
}

test.each([1, 7, 500, 50_000])('a walk in pages of %i finds each package once, whole', async (weight) => {
  const packages = 60;
  const project = await newProject(packages);
  const found = await service.database.tenant(project.organisationId, (tx) => walk(tx, project, weight));
  const expected = Array.from({ length: packages / 2 + 5 }, (_, n) => `package-${2 * n + 2}`).sort();
  expect(found.map(({ package_name }) => package_name)).toEqual(expected);
  for (const { package_name, versions, hasOpenAlert } of found) {
    const isTracked = Number(package_name.slice('package-'.length)) <= packages;
    const known = { versions: isTracked ? ['1.0.0', '2.0.0'] : [], hasOpenAlert: true };
    expect({ versions, hasOpenAlert }, package_name).toEqual(known);
  }
});

test('a walk reads each row a few times at most, also before the tables have statistics', async () => {
  const packages = 3_000;
  const project = await newProject(packages);
  const { rows } = await service.database.tenant(project.organisationId, async (tx) => {
    await walk(tx, project, 1_000);
    return sql<{ read: number }>`
      select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
      where relname in ('alerts', 'tech_stack_items')`.execute(tx);
  });
  expect(rows[0]?.read).toBeGreaterThan(packages);
  expect(rows[0]?.read).toBeLessThan(packages * 2.5 * 4);
});
