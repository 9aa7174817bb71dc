import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { posture } from '../../../src/procedures/posture.js';
import { projects } from '../../../src/procedures/projects.js';
import { projectsPage } from '../../../src/service/posture/list-projects.js';
import { textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { clockedOrganisation } from './clocked-organisation.js';
import { reportedFinding } from './reported-finding.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const day = (nth: number, hour = 12) => new Date(Date.UTC(2026, 0, nth, hour));

/** An organisation with projects of these names, and its list. */
async function projectsNamed(...names: string[]) {
  const clocked = await clockedOrganisation(service);
  const { readKey, writeKey } = clocked.organisation;
  // Those that it comes with.
  for (const id of clocked.projectIds) await service.call(writeKey, 'DELETE', `/api/projects/${id}`);
  const ids = new Map<string, string>();
  for (const name of names) {
    const { body } = await service.call(writeKey, 'POST', '/api/projects', { name, exposure: 'internet' });
    ids.set(name, textAt(body, 'id'));
  }
  return {
    ...clocked,
    idOf: (name: string) => ids.get(name) ?? '',
    async list(query = '', key = readKey) {
      const { body } = await service.call(key, 'GET', `/api/posture/projects?${query}`);
      return posture.listProjects.output.parse(body);
    },
  };
}

/** A package with one advisory: its purl. */
async function flawedPackage({ kev = false, score = 5 }: { readonly kev?: boolean; readonly score?: number } = {}) {
  const [name, cve] = [unique.packageName(), unique.cve()];
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  const scored = { cvss_score: score, cvss_version: '3.1', cvss_vector: vector, severity: 'moderate' as const };
  if (kev) {
    const listed = { cve, date_added: '2024-01-01', due_date: null, ransomware: false };
    await service.database.system((tx) => tx.insertInto('kev').values(listed).execute());
  }
  await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0', { cves: [cve], ...scored }));
  return `pkg:npm/${name}@1.0.0`;
}

describe('the posture of projects', () => {
  test('has the worst first: known exploited, then the priority of the worst, then RED and YELLOW, then the name', async () => {
    const { list, idOf, scan, sync, report, organisation } = await projectsNamed(
      ...[
        'b empty',
        'A empty',
        'two exploited',
        'an exploited image',
        'called',
        'unjudged',
        'two red',
        'red',
        'yellow',
      ],
      ...['dev only', 'green'],
    );
    const [kevs, called, devOnly] = [
      [await flawedPackage({ kev: true }), await flawedPackage({ kev: true })],
      await flawedPackage({ score: 10 }),
      await flawedPackage({ score: 10 }),
    ];
    const red = (name: string) => reportedFinding(name, { tier: 'RED' });
    await sync(day(1), idOf('two exploited'), kevs);
    await scan(day(1), idOf('an exploited image'), 'containers', [reportedFinding('kev', { kev_added: '2024-01-01' })]);
    await sync(day(1), idOf('called'), [called]);
    await report(day(1), idOf('called'), [[called, 'reached']]);
    await sync(day(1), idOf('unjudged'), [await flawedPackage({ score: 9.8 }), await flawedPackage({ score: 9.8 })]);
    await scan(day(1), idOf('unjudged'), 'code', [red('a')]);
    await scan(day(1), idOf('two red'), 'code', [red('a'), red('b')]);
    await scan(day(1), idOf('red'), 'running_app', [red('a')]);
    await scan(day(1), idOf('yellow'), 'code', [reportedFinding('y', { tier: 'YELLOW' })]);
    await scan(day(1), idOf('green'), 'code', [reportedFinding('g', { tier: 'GREEN' })]);
    await sync(day(1), idOf('dev only'), [devOnly]);
    await report(day(1), idOf('dev only'), [[devOnly, 'tooling']]);
    const { items, total } = await list();
    expect(items.map(({ name }) => name)).toEqual([
      ...['two exploited', 'an exploited image', 'called', 'unjudged', 'two red', 'red', 'yellow', 'dev only', 'green'],
      ...['A empty', 'b empty'],
    ]);
    expect(total).toBe(11);
    const { body } = await service.call(organisation.readKey, 'GET', '/api/projects?sort=worst&page=2&page_size=4');
    const second = projects.list.output.parse(body);
    expect(second.items.map(({ name }) => name)).toEqual(items.slice(4, 8).map(({ name }) => name));
    expect([second.total, second.has_more]).toEqual([11, true]);
    for (const [nth, { known_exploited, highest_effective_priority, open }] of second.items.entries()) {
      const posture = items[4 + nth];
      expect([known_exploited, highest_effective_priority]).toEqual([
        posture?.known_exploited,
        posture?.highest_effective_priority,
      ]);
      const red = Object.values(posture?.open ?? {}).reduce((sum, counts) => sum + counts.red, 0);
      expect(open?.red).toBe(red);
    }
    const unscanned = async (query: string) => {
      const { body } = await service.call(organisation.readKey, 'GET', `/api/projects?${query}`);
      return projects.list.output.parse(body).items.map(({ name }) => name);
    };
    expect(await unscanned('never_scanned=code,running_app,containers,dependencies')).toEqual([
      ...['A empty', 'an exploited image', 'b empty'],
    ]);
    expect(await unscanned('never_scanned=dependencies&sort=worst')).toEqual(
      items
        .map(({ name }) => name)
        .filter((name) => !['two exploited', 'called', 'unjudged', 'dev only'].includes(name)),
    );
    expect(await unscanned('never_scanned=code')).not.toContain('yellow');
    const of = (name: string) => items.find((each) => each.name === name);
    expect(items.map(({ known_exploited }) => known_exploited).slice(0, 3)).toEqual([2, 1, 0]);
    expect(of('called')?.highest_effective_priority).toBeGreaterThan(60);
    expect(of('dev only')?.highest_effective_priority).toBeLessThan(30);
    expect(of('unjudged')).toMatchObject({ highest_effective_priority: null, verdicts: { unanalyzed: 2 } });
  });

  test('counts what is open by domain and tier, and says when each was looked at', async () => {
    const { list, idOf, scan, sync, report, organisation } = await projectsNamed('shop', 'bare');
    const project = idOf('shop');
    const [one, other] = [await flawedPackage({ score: 7.5 }), await flawedPackage({ score: 7.5 })];
    await sync(day(1), project, [one, other, 'pkg:npm/harmless@1.0.0']);
    await report(day(2), project, [
      [one, 'reached'],
      [other, 'unused'],
    ]);
    await scan(day(3), project, 'code', [reportedFinding('a'), reportedFinding('b', { tier: 'YELLOW' })]);
    await scan(day(4), project, 'code', [reportedFinding('a')]);
    await scan(day(5), project, 'containers', [reportedFinding('c', { suppressed: true })]);
    const { body } = await service.call(organisation.readKey, 'GET', `/api/projects/${project}/alerts?page_size=1`);
    const [shop, bare] = (await list()).items;
    const none = { red: 0, yellow: 0, green: 0 };
    expect(shop).toEqual({
      ...{ id: project, name: 'shop', exposure: 'internet', group: null },
      open: {
        dependencies: { red: 0, yellow: 2, green: 0 },
        code: { red: 1, yellow: 0, green: 0 },
        ...{ running_app: none, containers: none },
      },
      verdicts: expect.objectContaining({ known_exploited: 0, unanalyzed: 0 }),
      known_exploited: 0,
      highest_effective_priority: Object(body).items[0].verdict.effective_priority,
      packages: 3,
      stack_changed_at: day(1),
      usage_reported_at: expect.any(Date),
      scanned_at: { code: day(4), running_app: null, containers: day(5) },
    });
    expect(Object.values(shop?.verdicts ?? {}).reduce((sum, each) => sum + each, 0)).toBe(2);
    expect(bare).toEqual({
      ...{ id: idOf('bare'), name: 'bare', exposure: 'internet', group: null },
      open: { dependencies: none, code: none, running_app: none, containers: none },
      verdicts: {
        ...{ known_exploited: 0, likely_exploitable: 0, needs_review: 0, likely_not_exploitable: 0, unanalyzed: 0 },
      },
      ...{ known_exploited: 0, highest_effective_priority: null, packages: 0 },
      ...{ stack_changed_at: null, usage_reported_at: null },
      scanned_at: { code: null, running_app: null, containers: null },
    });
  });

  test('is searched by a part of the name in any case, sorted by name, and comes in pages', async () => {
    const { list, idOf, scan } = await projectsNamed('web-shop', 'Shop 100%', 'api', 'Shopping_list');
    await scan(day(1), idOf('web-shop'), 'code', [reportedFinding('a')]);
    const namesOf = async (query: string) => (await list(query)).items.map(({ name }) => name);
    expect(await namesOf('q=SHOP&sort=name')).toEqual(['Shop 100%', 'Shopping_list', 'web-shop']);
    expect(await namesOf('q=shop')).toEqual(['web-shop', 'Shop 100%', 'Shopping_list']);
    expect(await namesOf('q=%25')).toEqual(['Shop 100%']);
    expect(await namesOf('q=g_l')).toEqual(['Shopping_list']);
    expect(await list('q=blog')).toMatchObject({ items: [], total: 0, has_more: false });
    const pages = await Promise.all([1, 2].map((page) => list(`page_size=2&page=${page}`)));
    expect(pages.flatMap(({ items }) => items.map(({ name }) => name))).toEqual([
      ...['web-shop', 'api', 'Shop 100%', 'Shopping_list'],
    ]);
    expect(pages.map(({ total, has_more }) => [total, has_more])).toEqual([
      [4, true],
      [4, false],
    ]);
  });

  test('has only the projects that a key is bound to', async () => {
    const { list, idOf, organisation, scan } = await projectsNamed('own', 'other');
    await scan(day(1), idOf('other'), 'code', [reportedFinding('a')]);
    const wanted = { name: 'bound', scope: 'ReadOnly', project_ids: [idOf('own')] };
    const { body } = await service.call(organisation.admin.session, 'POST', '/api/org/api-keys', wanted);
    const answer = await list('', textAt(body, 'key'));
    expect(answer).toMatchObject({ total: 1, items: [{ name: 'own' }] });
    const worst = await service.call(textAt(body, 'key'), 'GET', '/api/projects?sort=worst');
    expect(worst.body).toMatchObject({ total: 1, items: [{ name: 'own' }] });
  });

  test.each([
    ['sort=risk', 'sort'],
    ['q=', 'q'],
    ['query=shop', 'query'],
  ])('with %s is an error that names the field', async (query, field) => {
    const { readKey } = await service.newOrganisation();
    const { status, body } = await service.call(readKey, 'GET', `/api/posture/projects?${query}`);
    expect([status, body]).toMatchObject([422, { errors: [{ field }] }]);
  });
});

test('among 10,000 findings only known exploited ones are read, and the first of each project', async () => {
  const { organisation, idOf } = await projectsNamed('one', 'two');
  const organisationId = organisation.id;
  await service.database.system(async (tx) => {
    await sql`
      insert into findings (organisation_id, project_id, id, domain, source, tool, identity, rule_id, title, severity,
        tier, state, details, kev_added, first_seen_at, last_seen_at, turns)
      select ${organisationId}, ${idOf('one')}, ${organisationId} || n, 'code', 'shop', 'any', int4send(n), 'any', 'any',
        'high', 'RED', 'open', '{}', case when n % 1000 = 0 then '2024-01-01'::date end, now(), now(), turn('{}', now())
      from generate_series(1, 10000) n`.execute(tx);
    await sql`
      insert into alerts (organisation_id, project_id, id, vulnerability_id, ecosystem, package_name, advisory_ids, cves,
        title, versions, malicious, tier, kev_added, turns)
      select ${organisationId}, ${idOf('two')}, ${organisationId} || n, n::text, 'npm', 'any', '{any}', '{}', 'any', '{}', false,
        'RED', case when n % 1000 = 0 then '2024-01-01'::date end, turn('{}', now())
      from generate_series(1, 10000) n`.execute(tx);
    // The embedded database samples less, and one row in a thousand may then be missed.
    await sql`set local default_statistics_target = 100`.execute(tx);
    await sql`analyze findings, alerts`.execute(tx);
  });
  const input = { page: 1, page_size: 25, sort: 'worst' as const };
  const plan = await service.database.tenant(organisationId, async (tx) => {
    const { rows } = await sql`explain ${projectsPage({ organisationId }, input)}`.execute(tx);
    return JSON.stringify(rows);
  });
  const scans = [...plan.matchAll(/(?:Index (?:Only )?Scan using|Scan on) (\w+)/g)].map(([, name]) => name);
  expect(scans).toEqual(
    expect.arrayContaining(['alerts_known_exploited', 'findings_known_exploited', 'alerts_worst_first']),
  );
  // A bitmap of an index reads the same few rows.
  expect(plan).not.toMatch(/Seq Scan on (?:alerts|findings|tech_stack_items)/);
});
