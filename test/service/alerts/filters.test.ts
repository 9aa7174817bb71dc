import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { alertsPage } from '../../../src/service/alerts/list-alerts.js';
import type { StoredEvidence } from '../../../src/verdict/evidence.js';
import { at } from '../../support/at.js';
import { ownDatabase } from '../../support/own-database.js';
import { freshAdvisories } from '../../support/published-fixes.js';
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
  const injection = unique.advisoryId();
  await storeAdvisory(service.database, unique.packageName(), advisory(injection, '0', '1'));
  await service.database.system((tx) =>
    tx
      .updateTable('advisories')
      .set({ cwes: ['CWE-20', 'CWE-89'] })
      .where('id', '=', injection)
      .execute(),
  );
  const judged = { verdict_band: 'needs_review' as const, effective_priority: 40 };
  const rows = [
    {
      title: 'exploited',
      kev_added: '2024-01-01',
      safe_version: '2.0.0',
      package_name: 'lodash',
      usage: 'called',
      epss: 0.9,
      severity: 'critical',
    },
    {
      title: 'listed',
      kev_added: '2024-01-01',
      package_name: 'lodash-es',
      tier: 'RED',
      usage: 'not_used',
      epss: 0.5,
      severity: 'high',
    },
    {
      title: 'fixed',
      safe_version: '2.0.0',
      package_name: 'foo-bar',
      name: 'Foo_Bar',
      usage: 'called',
      epss: 0.4,
      severity: 'low',
    },
    { title: 'stuck', package_name: 'left-pad', tier: 'RED', usage: null },
  ] as const;
  const evidence = JSON.stringify({
    versions: ['1.0.0'],
    usage: { usage: 'imported', confidence: 'high', vulnerableSymbols: [], sites: [], siteCount: 0, paths: [] },
    exploit: { severity: null, cvss: null, attackVector: null, epss: null, kev: null },
    exposure: 'unknown',
  } satisfies StoredEvidence);
  const now = new Date();
  const alerts = rows.map(({ usage, ...row }) => ({
    ...alertRow(stack.organisation.id, stack.projectId),
    ...row,
    ...(usage === null ? {} : { usage, ...judged }),
    ...{ advisory_ids: row.title === 'exploited' ? ['any', injection] : ['any'], turns: ['2024-01-01'] },
  }));
  const resolved = {
    ...alertRow(stack.organisation.id, stack.projectId),
    ...{ title: 'resolved', kev_added: '2024-01-01', resolved_at: now, turns: ['2024-01-01', '2024-01-02'] },
  };
  await service.database.system(async (tx) => {
    await tx
      .insertInto('alerts')
      .values([...alerts, resolved])
      .execute();
    await tx
      .insertInto('verdicts')
      .values(
        alerts.slice(1, 3).map(({ id, title, organisation_id, project_id }) => ({
          ...{ organisation_id, project_id, id: randomUUID(), alert_id: id, machine_score: 40, computed_at: now },
          ...{ machine_band: 'needs_review' as const, evidence, evidence_hash: Buffer.alloc(32) },
          ...(title === 'fixed' && { override_verdict: 'NotExploitable' as const, override_reason: 'any' }),
        })),
      )
      .execute();
  });
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
    ['usage=called,not_used', ['exploited', 'listed', 'fixed']],
    ['usage=not_used&usage=imported', ['listed']],
    ['usage=not_used,imported&band=needs_review', ['listed']],
    ['severity=critical', ['exploited']],
    ['severity=low,high', ['listed', 'fixed']],
    ['epss_min=0.5', ['exploited', 'listed']],
    ['epss_min=0.5&severity=high&kev=true', ['listed']],
    ['epss_min=1', []],
    ['cwe=CWE-89', ['exploited']],
    ['cwe=cwe-089&kev=true', ['exploited']],
    ['cwe=20', ['exploited']],
    ['cwe=CWE-8', []],
    ['overridden=true', ['fixed']],
    ['overridden=false', ['exploited', 'listed', 'stuck', 'resolved']],
    ['overridden=false&resolved=false&kev=true', ['exploited', 'listed']],
    ['overridden=true&severity=high', []],
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
    const queries = ['kev=true', 'kev=false', 'fixable=true', 'fixable=false', 'usage=called', 'package=lodash'];
    for (const query of [
      ...queries,
      'usage=called,not_used',
      'epss_min=0.1',
      'overridden=false',
      'severity=high,low',
    ]) {
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
  test.each([
    ['usage=imported', '1 open alert has no known use'],
    ['band=likely_exploitable', '1 open alert has no known verdict'],
    ['severity=moderate', '1 open alert has no known severity'],
    ['epss_min=0.95', '1 open alert has no known EPSS'],
    ['epss_min=0.95', 'EPSS is not loaded'],
    ['cwe=CWE-1', '3 open alerts have no known kind of weakness'],
    ['cwe=CWE-1&tier=RED', '2 open alerts have no known kind of weakness'],
    ['kev=true&tier=GREEN&fixable=false&status=open', 'the KEV catalogue is not loaded'],
    ['status=acknowledged', '4 open, left out by the filter'],
    ['status=acknowledged&severity=high,low', '2 open, left out by the filter'],
    ['overridden=true&severity=high', '1 open, left out by the filter'],
    ['package=lodash&tier=YELLOW', '2 open, left out by the filter'],
  ])('%s is never affected, and says that %s', async (query, gap) => {
    const { call } = await newList();
    const { body } = await call('GET', `?${query}`);
    expect(body).toMatchObject({ items: [], total: 0, coverage: { status: 'unknown' } });
    expect(at(body, 'coverage.gaps')).toContain(gap);
  });

  test('of a name that no stack has is not known', async () => {
    const { call, sync } = await newStack(service);
    const name = unique.packageName();
    await sync(`${name}@1.0.0`);
    const { body } = await call('GET', '?package=nothing');
    expect(body).toMatchObject({ items: [], coverage: { status: 'unknown', known: false } });
    expect(at(body, 'coverage.gaps')).toContain('no tracked package is named like nothing');
    expect(at((await call('GET', `?package=${name}`)).body, 'coverage.known')).toBe(true);
  });

  test('of an id that nothing here knows is not known, and of one that is says what find_exposed says', async () => {
    const { call, sync, key } = await newStack(service);
    const [name, cve] = [unique.packageName(), unique.cve()];
    await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '1.0.0', { cves: [cve] }));
    await sync(`${name}@1.0.0`);
    const { body } = await call('GET', '?cve=CVE-2099-12345');
    expect(body).toMatchObject({ total: 0, coverage: { status: 'unknown', known: false } });
    expect(at(body, 'coverage.gaps')).toContain('nothing held here knows CVE-2099-12345');
    const held = (await call('GET', `?cve=${cve}`)).body;
    expect(at(held, 'coverage.known')).toBe(true);
    const exposed = (await service.call(key, 'GET', `/api/intelligence/exposed?cve=${cve}`)).body;
    expect(at(exposed, 'coverage.gaps')).toEqual(expect.arrayContaining([at(held, 'coverage.gaps')].flat()));
  });

  test('of what is safe says so, though others are open', async () => {
    const database = await ownDatabase();
    onTestFinished(() => database.close());
    const own = await startService({ database });
    onTestFinished(own.close);
    const { call, sync } = await newStack(own);
    const [name, other, cve] = [unique.packageName(), unique.packageName(), unique.cve()];
    const published = new Date(2020, 1);
    await storeAdvisory(database, name, advisory(unique.advisoryId(), '0', '2.0.0', { published, severity: 'high' }));
    await storeAdvisory(database, other, advisory(unique.advisoryId(), '0', '1.0.0', { published, cves: [cve] }));
    await freshAdvisories(database);
    await sync(`${name}@1.0.0`, `${other}@1.0.0`);
    for (const query of [`cve=${cve}`, `package=${other}`, 'severity=critical', 'tier=RED', 'fixable=false'])
      expect(at((await call('GET', `?${query}`)).body, 'coverage'), query).toMatchObject({
        ...{ status: 'not_affected', known: true, gaps: [] },
        domains: [{ domain: 'dependencies', status: 'not_affected' }],
      });
  });
});

describe('a value that cannot match', () => {
  test.each([
    ['usage=used', 'usage.0', 'transitive_only'],
    ['usage=called,used', 'usage.1', 'transitive_only'],
    ['severity=', 'severity.0', 'moderate'],
    ['epss_min=2', 'epss_min', '1'],
    ['cwe=injection', 'cwe', 'CWE-89'],
    ['cve=CWE-89', 'cve', 'cwe'],
    ['overridden=yes', 'overridden', 'boolean'],
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
  const calledAlone: 'called'[] = ['called'];
  for (const [filter, index] of [
    [{ kev: true }, 'alerts_known_exploited'],
    [{ fixable: false }, 'alerts_without_fix'],
    [{ usage: calledAlone }, 'alerts_of_usage'],
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
