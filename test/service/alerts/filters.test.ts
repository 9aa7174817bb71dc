import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { alertsPage } from '../../../src/service/alerts/list-alerts.js';
import { at } from '../../support/at.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from './advisories.js';
import { alertRow, newStack } from './stack.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A project with alerts that differ in all that is filtered by; `titles` reads those that pass. */
async function newList() {
  const stack = await newStack(service);
  const judged = { verdict_band: 'needs_review' as const, effective_priority: 40 };
  const rows = [
    { title: 'exploited', kev_added: '2024-01-01', safe_version: '2.0.0', package_name: 'lodash', usage: 'called' },
    { title: 'listed', kev_added: '2024-01-01', package_name: 'lodash-es', tier: 'RED', usage: 'not_used' },
    { title: 'fixed', safe_version: '2.0.0', package_name: 'foo-bar', name: 'Foo_Bar', usage: 'called' },
    { title: 'stuck', package_name: 'left-pad', tier: 'RED', usage: null },
  ] as const;
  const now = new Date();
  await service.database.system((tx) =>
    tx
      .insertInto('alerts')
      .values([
        ...rows.map(({ usage, ...row }) => ({
          ...alertRow(stack.organisation.id, stack.projectId),
          ...row,
          ...(usage === null ? {} : { usage, ...judged }),
          turns: ['2024-01-01'],
        })),
        {
          ...alertRow(stack.organisation.id, stack.projectId),
          ...{ title: 'resolved', kev_added: '2024-01-01', resolved_at: now, turns: ['2024-01-01', '2024-01-02'] },
        },
      ])
      .execute(),
  );
  return {
    ...stack,
    async read(query: string) {
      const { status, body } = await stack.call('GET', `?${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      const { items, total } = Object(body);
      return { titles: items.map(({ title }: { title: string }) => title), total };
    },
  };
}

describe('alerts are filtered', () => {
  const all = ['exploited', 'listed', 'fixed', 'stuck', 'resolved'];
  test.each([
    ['kev=true', ['exploited', 'listed', 'resolved']],
    ['kev=false', ['fixed', 'stuck']],
    ['fixable=true', ['exploited', 'fixed']],
    ['fixable=false', ['listed', 'stuck', 'resolved']],
    ['fixable=true&kev=true', ['exploited']],
    ['fixable=true&kev=false', ['fixed']],
    ['usage=called', ['exploited', 'fixed']],
    ['usage=called&kev=false', ['fixed']],
    ['usage=imported', []],
    ['package=lodash', ['exploited', 'listed']],
    ['package=LODASH-', ['listed']],
    ['package=foo_', ['fixed']],
    ['package=-bar', ['fixed']],
    ['package=%25', []],
    ['kev=true&resolved=true', ['resolved']],
    ['kev=true&status=open&tier=RED', ['listed']],
    ['fixable=true&band=needs_review&resolved=false', ['exploited', 'fixed']],
    ['kev=false&tier=RED', ['stuck']],
    ['kev=false&band=unanalyzed', ['stuck']],
  ])('by %s', async (query, expected) => {
    const { read } = await newList();
    const { titles, total } = await read(query);
    expect([titles.toSorted(), total]).toEqual([expected.toSorted(), expected.length]);
    expect(await read(`${query}&page_size=1`)).toEqual({ titles: titles.slice(0, 1), total });
  });

  test('in the order of the whole list', async () => {
    const { read } = await newList();
    const { titles } = await read('');
    expect(titles.toSorted()).toEqual(all.toSorted());
    for (const query of ['kev=true', 'kev=false', 'fixable=true', 'fixable=false', 'usage=called', 'package=lodash']) {
      const found = await read(query);
      expect(found.titles).toEqual(titles.filter((title: string) => found.titles.includes(title)));
    }
  });

  test('by any id of the vulnerability, in any case', async () => {
    const stack = await newStack(service);
    const [name, other, cve] = [unique.packageName(), unique.packageName(), unique.cve()];
    const number = cve.slice('CVE-1990-'.length);
    const [id, alias] = [`PYSEC-2021-${number}`, `SNYK-JS-${number}`];
    await storeAdvisory(service.database, name, advisory(id, '0', '2.0.0', { cves: [cve] }));
    await storeAdvisory(service.database, other, advisory(unique.advisoryId(), '0', '2.0.0'));
    await service.database.system((tx) =>
      tx
        .updateTable('advisories')
        .set({ aliases: [alias] })
        .where('id', '=', id)
        .execute(),
    );
    await stack.sync(`${name}@1.0.0`, `${other}@1.0.0`);
    for (const given of [cve, cve.toLowerCase(), id.toLowerCase(), alias.toLowerCase()]) {
      expect(
        (await stack.alerts(`&cve=${given}`)).map((alert) => alert.package.name),
        given,
      ).toEqual([name]);
    }
  });
});

describe('a filter without rows', () => {
  test('says how many open alerts it leaves out', async () => {
    const { call } = await newList();
    for (const query of ['usage=imported', 'package=nothing', 'kev=true&tier=GREEN&fixable=false&status=open']) {
      const { body } = await call('GET', `?${query}`);
      expect(body).toMatchObject({ items: [], total: 0, coverage: { status: 'affected' } });
      expect(at(body, 'coverage.gaps')).toContain('4 open, left out by the filter');
    }
  });

  test('of an id that nothing here knows is no safety', async () => {
    const { call, sync } = await newStack(service);
    await sync(`${unique.packageName()}@1.0.0`);
    const { body } = await call('GET', '?cve=CVE-2099-12345');
    expect(body).toMatchObject({ total: 0, coverage: { status: 'unknown' } });
    expect(at(body, 'coverage.gaps')).toContain(
      'no alert is about CVE-2099-12345: find_exposed says what was searched for it',
    );
  });
});

describe('a value that cannot match', () => {
  test.each([
    ['usage=used', 'usage', 'transitive_only'],
    ['kev=yes', 'kev', 'boolean'],
    ['fixable=1', 'fixable', 'boolean'],
    ['cve=log4shell', 'cve', 'GHSA-jfh8-c2jp-5v3q'],
    ['package=', 'package', '1'],
    ['usage_class=called', 'usage_class', 'fixable'],
  ])('%s is an error that names the field, and what it takes', async (query, field, words) => {
    const { call } = await newStack(service);
    const { status, body } = await call('GET', `?${query}`);
    expect([status, body]).toMatchObject([422, { errors: [{ field }] }]);
    expect(JSON.stringify(body)).toContain(words);
  });
});

test('of a project with 20,000 alerts reads its page from the index of the filter', async () => {
  // What other tests leave in a table bears on the plan.
  const database = await ownDatabase();
  onTestFinished(() => database.close());
  const own = await startService({ database });
  onTestFinished(own.close);
  const { organisation, projectId } = await newStack(own);
  await database.system(async (tx) => {
    await sql`
      insert into alerts (organisation_id, project_id, id, vulnerability_id, ecosystem, package_name, advisory_ids, cves,
        title, versions, malicious, tier, kev_added, safe_version, usage, effective_priority, verdict_band, turns)
      select ${organisation.id}, ${projectId}, ${projectId} || '-' || n, n::text, 'npm', 'any', '{any}', '{}', 'any', '{}', false,
        'RED', case when n % 500 = 0 then '2024-01-01'::date end, case when n % 400 <> 0 then '2' end,
        case when n % 300 = 0 then 'called' else 'not_used' end, n % 100, 'needs_review', turn('{}', now())
      from generate_series(1, 20000) n`.execute(tx);
    await sql`analyze alerts`.execute(tx);
  });
  const page = { page: 1, page_size: 25 };
  for (const [filter, index] of [
    [{ kev: true }, 'alerts_known_exploited'],
    [{ fixable: false }, 'alerts_without_fix'],
    [{ usage: 'called' as const }, 'alerts_of_usage'],
    [{ kev: false }, 'alerts_worst_first'],
    [{ fixable: true }, 'alerts_worst_first'],
  ] as const) {
    const plan = await database.tenant(organisation.id, async (tx) => {
      // For the few rows of some filters a bitmap and a sort are as cheap.
      await sql`set local enable_bitmapscan = off`.execute(tx);
      return alertsPage(tx, { organisationId: organisation.id, projectId }, { ...page, ...filter }).explain();
    });
    const [text = ''] = JSON.stringify(plan).split('SubPlan');
    expect(/Index Scan using (\w+)/.exec(text)?.[1]).toBe(index);
    expect(text).not.toContain('"Sort');
  }
});
