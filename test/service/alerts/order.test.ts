import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alertsPage } from '../../../src/service/alerts/list-alerts.js';
import type { Database } from '../../../src/service/db/database.js';
import { risksOf } from '../../../src/service/posture/worst.js';
import { at } from '../../support/at.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { loadRecords, record } from '../intelligence/organisation.js';
import { alertRow, newStack } from './stack.js';

/** A database of its own: what other tests leave in a table bears on the plans. */
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

/** What decides, in this order: exploited, tier, EPSS, CVSS, package, vulnerability. Each row is worse than the next. */
const worstFirst = [
  { kev_added: '2025-01-01', tier: 'RED', epss: 0.1, cvss_score: 5, package_name: 'z' },
  { kev_added: null, tier: 'RED', epss: 0.9, cvss_score: 5, package_name: 'z' },
  { kev_added: null, tier: 'RED', epss: 0.9, cvss_score: null, package_name: 'a' },
  { kev_added: null, tier: 'RED', epss: 0.8, cvss_score: 10, package_name: 'a' },
  { kev_added: null, tier: 'RED', epss: null, cvss_score: 10, package_name: 'a' },
  { kev_added: null, tier: 'YELLOW', epss: 0.5, cvss_score: 9, package_name: 'a' },
  { kev_added: null, tier: 'YELLOW', epss: 0.5, cvss_score: 9, package_name: 'b', vulnerability_id: 'CVE-1' },
  { kev_added: null, tier: 'YELLOW', epss: 0.5, cvss_score: 9, package_name: 'b', vulnerability_id: 'CVE-2' },
  { kev_added: null, tier: 'GREEN', epss: null, cvss_score: null, package_name: 'B' },
  { kev_added: null, tier: 'GREEN', epss: null, cvss_score: null, package_name: 'a' },
] as const;

async function insert(stack: Awaited<ReturnType<typeof newStack>>, more: { readonly effective_priority?: number }) {
  const rows = worstFirst.map((each, nth) => ({
    ...alertRow(stack.organisation.id, stack.projectId),
    ...{ ...each, ...more, cvss_version: '3.1', cvss_vector: 'any', title: `nth ${nth}`, turns: ['2025-01-01'] },
  }));
  await service.database.system((tx) =>
    tx
      .insertInto('alerts')
      .values(rows.toSorted(() => Math.random() - 0.5))
      .execute(),
  );
}

const inOrder = worstFirst.map((_, nth) => `nth ${nth}`);

describe('alerts without a verdict, and those with the same EffectivePriority,', () => {
  test.each([{}, { effective_priority: 33 }])('%j: come by KEV, tier, EPSS, CVSS and name', async (more) => {
    const stack = await newStack(service);
    await insert(stack, more);
    expect((await stack.alerts()).map(({ title }) => title)).toEqual(inOrder);
    const tiers = await Promise.all(['RED', 'YELLOW', 'GREEN'].map((tier) => stack.alerts(`&tier=${tier}`)));
    expect(tiers.flat().map(({ title }) => title)).toEqual(inOrder);
    expect((await stack.alerts('&band=unanalyzed')).map(({ title }) => title)).toEqual(inOrder);
  });

  test('are ranked by the same, where nothing else decides', async () => {
    const stack = await newStack(service);
    await insert(stack, { effective_priority: 33 });
    const path = `/api/posture/dependencies/risks?project_id=${stack.projectId}`;
    const { body } = await service.call(stack.key, 'GET', path);
    const titles = [at(body, 'risks')].flat().map((each) => at(each, 'title'));
    // Only known exploited and RED alerts are risks by themselves. Those without EPSS count as 1 %.
    // Those of one package are one risk, the worst of them.
    const names = worstFirst.slice(0, 5).map(({ package_name }) => package_name);
    expect(titles).toEqual(inOrder.slice(0, 5).filter((_, nth) => names.indexOf(names[nth] ?? 'a') === nth));
  });
});

test('the same stack has the same order in three projects', async () => {
  const names = Array.from({ length: 12 }, (_, nth) => `order-${randomUUID().slice(0, 4)}-${nth % 5}`);
  await loadRecords(service, ...names.map((name) => record(`GHSA-${randomUUID()}`, name)));
  const orders = [];
  for (let project = 0; project < 3; project++) {
    const stack = await newStack(service);
    await stack.sync(...names.map((name) => `${name}@1.0.0`).toSorted(() => Math.random() - 0.5));
    const risks = await service.call(stack.key, 'GET', `/api/posture/dependencies/risks?project_id=${stack.projectId}`);
    orders.push([
      (await stack.alerts()).map(({ package: { name }, advisory_ids }) => [name, advisory_ids]),
      [at(risks.body, 'risks')].flat().map((each) => at(each, 'package')),
    ]);
  }
  expect(orders[0]?.[0]).toHaveLength(12);
  expect(orders[1]).toEqual(orders[0]);
  expect(orders[2]).toEqual(orders[0]);
});

test('an index has each order, however many alerts there are', async () => {
  const { organisation, projectId } = await newStack(service);
  const input = { page: 1, page_size: 25 };
  await service.database.tenant(organisation.id, async (tx) => {
    // Small tables are sorted. The plan of a large one shows whether an index would do.
    await sql`set local enable_sort = off`.execute(tx);
    const [one, all] = [{ organisationId: organisation.id, projectId }, { organisationId: organisation.id }];
    const queries = [
      [alertsPage(tx, one, input), 'alerts_worst_first'],
      [alertsPage(tx, one, { ...input, band: 'needs_review' as const }), 'alerts_of_band'],
      [alertsPage(tx, one, { ...input, tier: 'RED' as const }), 'alerts_of_tier'],
      [alertsPage(tx, all, input), 'alerts_of_all'],
      [alertsPage(tx, all, { ...input, band: 'needs_review' as const }), 'alerts_of_all_of_band'],
      [alertsPage(tx, all, { ...input, tier: 'RED' as const, resolved: false }), 'alerts_of_all_of_tier'],
      [alertsPage(tx, all, { ...input, acknowledged: true }), 'alerts_of_all_acknowledged'],
    ] as const;
    for (const [page, index] of queries) {
      const query = page.compile();
      const { rows } = await tx.executeQuery({ ...query, sql: `explain ${query.sql}` });
      expect(JSON.stringify(rows)).toContain(`using ${index} `);
      expect(JSON.stringify(rows)).not.toMatch(/Sort/);
    }
  });
  // On a small table the planner may take the index of all projects just as well: so it is not there.
  const undone = new Error('undone');
  const explained = service.database.system(async (tx) => {
    await sql`set local enable_sort = off`.execute(tx);
    for (const [domain, table] of [
      ['dependencies', 'alerts'],
      ['code', 'findings'],
    ] as const) {
      await sql`drop index ${sql.ref(`${table}_by_risk`)}`.execute(tx);
      const scope = { organisationId: organisation.id, projectId };
      const { rows } = await sql`explain ${risksOf(scope, domain, 10)}`.execute(tx);
      expect(JSON.stringify(rows)).toContain(`using ${table}_by_risk_of_project `);
      expect(JSON.stringify(rows)).not.toMatch(/Sort/);
    }
    throw undone;
  });
  await expect(explained).rejects.toBe(undone);
});
