import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alerts } from '../../../src/procedures/alerts.js';
import { alertsPage } from '../../../src/service/alerts/list-alerts.js';
import { at } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { newProject } from '../projects/new-project.js';
import { advisory, storeAdvisory, unique } from './advisories.js';
import { alertRow, newStack } from './stack.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A stack with one open alert. */
async function newAlert() {
  const stack = await newStack(service);
  const name = unique.packageName();
  await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0'));
  await stack.sync(`${name}@1.0.0`);
  const [alert] = await stack.alerts();
  if (alert === undefined) throw new Error('no alert was opened');
  return { ...stack, alert, name };
}

async function auditOf(alertId: string) {
  return service.database.system((tx) =>
    tx
      .selectFrom('audit_log')
      .select(['action', 'before', 'after'])
      .where('target_id', '=', alertId)
      .orderBy('at')
      .orderBy('id')
      .execute(),
  );
}

describe('an alert', () => {
  test('is read by id', async () => {
    const { alert, call } = await newAlert();
    const { status, body } = await call('GET', `/${alert.id}`);
    expect(status).toBe(200);
    expect(alerts.get.output.parse(body)).toMatchObject(alert);
  });

  test('is acknowledged with who, when and why; another note replaces the first, and without one it stays', async () => {
    const { alert, organisation, call } = await newAlert();
    const acknowledged = await call('POST', `/${alert.id}/acknowledge`, { note: 'not reachable' });
    expect(acknowledged).toMatchObject({
      status: 200,
      body: { status: 'acknowledged', acknowledged: { by: 'ReadWrite key', note: 'not reachable' }, resolved_at: null },
    });
    expect((await call('POST', `/${alert.id}/acknowledge`, { note: 'not reachable' })).body).toEqual(acknowledged.body);
    expect(await auditOf(alert.id)).toHaveLength(1);
    const path = `/api/projects/${alert.project_id}/alerts/${alert.id}/acknowledge`;
    for (const body of [{}, { note: null }])
      expect((await service.call(organisation.member.session, 'POST', path, body)).body).toEqual(acknowledged.body);
    const again = await service.call(organisation.member.session, 'POST', path, { clear: ['note'] });
    expect(at(again.body, 'acknowledged')).toMatchObject({ by: organisation.member.name, note: null });
    expect(await auditOf(alert.id)).toEqual([
      {
        action: 'alert.acknowledge',
        before: { acknowledged: false, by: null, note: null },
        after: { acknowledged: true, by: 'ReadWrite key', note: 'not reachable' },
      },
      {
        action: 'alert.acknowledge',
        before: { by: 'ReadWrite key', note: 'not reachable' },
        after: { by: organisation.member.name, note: null },
      },
    ]);
  });

  test('is open again when the acknowledgement is taken back', async () => {
    const { alert, call } = await newAlert();
    await call('POST', `/${alert.id}/acknowledge`, {});
    const back = await call('POST', `/${alert.id}/unacknowledge`);
    expect(back).toMatchObject({ status: 200, body: { status: 'open', acknowledged: null } });
    expect((await call('POST', `/${alert.id}/unacknowledge`)).body).toEqual(back.body);
    expect((await auditOf(alert.id)).map(({ action }) => action)).toEqual(['alert.acknowledge', 'alert.unacknowledge']);
  });

  test('that is resolved is neither acknowledged nor taken back', async () => {
    const { alert, call, sync } = await newAlert();
    await sync();
    for (const verb of ['acknowledge', 'unacknowledge']) {
      expect(await call('POST', `/${alert.id}/${verb}`, {})).toMatchObject({
        status: 409,
        body: { code: 'conflict', reason: 'already_resolved' },
      });
    }
  });

  test('of another project or organisation does not exist', async () => {
    const [own, other] = [await newAlert(), await newAlert()];
    const sibling = await newProject(service, own.organisation);
    const cases: [path: string, resource: string][] = [
      [`${own.path}/${other.alert.id}`, 'alert'],
      [`${own.path}/none`, 'alert'],
      [`/api/projects/${sibling}/alerts/${own.alert.id}`, 'alert'],
      [`${other.path}/${other.alert.id}`, 'project'],
    ];
    for (const [path, resource] of cases) {
      for (const [method, rest] of [
        ['GET', ''],
        ['POST', '/acknowledge'],
        ['POST', '/unacknowledge'],
      ] as const) {
        const answer = await service.call(own.key, method, `${path}${rest}`, method === 'POST' ? {} : undefined);
        expect(answer).toMatchObject({ status: 404, body: { resource } });
      }
    }
    expect(await service.call(own.key, 'GET', other.path)).toMatchObject({
      status: 404,
      body: { resource: 'project' },
    });
    expect(await other.alerts()).toMatchObject([{ status: 'open' }]);
  });

  test('is acknowledged by write keys only', async () => {
    const { alert, organisation, path } = await newAlert();
    for (const verb of ['acknowledge', 'unacknowledge']) {
      const answer = await service.call(organisation.readKey, 'POST', `${path}/${alert.id}/${verb}`, {});
      expect(answer.status).toBe(403);
    }
  });
});

describe('the list of alerts', () => {
  async function newList() {
    const stack = await newStack(service);
    const row = alertRow.bind(null, stack.organisation.id, stack.projectId);
    const [resolved_at, acknowledged] = [new Date(), { acknowledged_at: new Date(), acknowledged_by: 'someone' }];
    const rows = [
      { ...row(), tier: 'RED' as const, title: 'red' },
      { ...row(), tier: 'YELLOW' as const, title: 'yellow', ...acknowledged },
      { ...row(), tier: 'GREEN' as const, title: 'green' },
      { ...row(), tier: 'RED' as const, title: 'red resolved', resolved_at },
      { ...row(), tier: 'YELLOW' as const, title: 'yellow resolved', resolved_at, ...acknowledged },
    ];
    await service.database.system(async (tx) => {
      for (const each of rows.toReversed()) {
        const turns = 'resolved_at' in each ? [] : ['2024-01-01'];
        await tx
          .insertInto('alerts')
          .values({ ...each, turns })
          .execute();
      }
    });
    return { ...stack, titles: async (query = '') => (await stack.alerts(query)).map(({ title }) => title) };
  }

  test('has unresolved ones first, then the worst', async () => {
    const { titles } = await newList();
    expect(await titles()).toEqual(['red', 'yellow', 'green', 'red resolved', 'yellow resolved']);
  });

  test.each([
    ['status=open', ['red', 'green']],
    ['status=acknowledged', ['yellow']],
    ['status=resolved', ['red resolved', 'yellow resolved']],
    ['acknowledged=true', ['yellow', 'yellow resolved']],
    ['acknowledged=false', ['red', 'green', 'red resolved']],
    ['resolved=true', ['red resolved', 'yellow resolved']],
    ['resolved=false', ['red', 'yellow', 'green']],
    ['tier=RED', ['red', 'red resolved']],
    ['tier=GREEN&resolved=true', []],
    ['tier=YELLOW&resolved=true&acknowledged=true', ['yellow resolved']],
    ['status=open&acknowledged=true', []],
    ['band=unanalyzed&tier=RED&resolved=false', ['red']],
    ['band=known_exploited', []],
    ['band=likely_not_exploitable', []],
  ])('is filtered by %s', async (query, expected) => {
    const { titles, key, path } = await newList();
    expect(await titles(`&${query}`)).toEqual(expected);
    const { body } = await service.call(key, 'GET', `${path}?page_size=1&${query}`);
    expect(body).toMatchObject({ total: expected.length, has_more: expected.length > 1 });
  });

  test('comes in pages that leave nothing out', async () => {
    const { key, path } = await newList();
    const pages = await Promise.all(
      [1, 2, 3].map((page) => service.call(key, 'GET', `${path}?page_size=2&page=${page}`)),
    );
    const titles = pages.flatMap(({ body }) => alerts.list.output.parse(body).items.map(({ title }) => title));
    expect(titles).toEqual(['red', 'yellow', 'green', 'red resolved', 'yellow resolved']);
    expect(pages.map(({ body }) => at(body, 'has_more'))).toEqual([true, true, false]);
  });

  test.each(['status=closed', 'tier=BLUE', 'band=high', 'resolved=1', 'page=101&page_size=100', 'sort=tier'])(
    'rejects %s',
    async (query) => {
      const { call } = await newStack(service);
      expect(await call('GET', `?${query}`)).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
    },
  );

  const boundKeys =
    / Filter: \(\((?:\(InitPlan \d+\)\.col1|\$\d+) <> ','::text\) OR \((?:hashed SubPlan \d+|ANY \(project_id = \(hashed SubPlan \d+\)\.col1\))\)\)/g;

  test('of a project with 20,000 alerts reads its page from the index that has its order', async () => {
    const { organisation, projectId } = await newStack(service);
    await service.database.system(async (tx) => {
      await sql`
        insert into alerts (organisation_id, project_id, id, vulnerability_id, ecosystem, package_name, advisory_ids, cves,
          title, versions, malicious, tier, resolved_at, turns)
        select ${organisation.id}, ${projectId}, ${projectId} || '-' || n, n::text, 'npm', 'any', '{any}', '{}', 'any', '{}', false,
          (array['RED', 'YELLOW', 'GREEN'])[1 + n % 3], case when n % 2 = 0 then now() end,
          case when n % 2 = 0 then '{}' else turn('{}', now()) end
        from generate_series(1, 20000) n`.execute(tx);
      // Statistics of the time before these rows would let any index seem to hold one row.
      await sql`analyze alerts`.execute(tx);
    });
    const filters = { page: 3, page_size: 25, project_id: projectId };
    for (const input of [
      filters,
      { ...filters, status: 'open' as const },
      { ...filters, tier: 'YELLOW' as const, resolved: false },
    ]) {
      const plan = await service.database.tenant(organisation.id, async (tx) => {
        // Among many rows of other tests a bitmap and a sort may be as cheap.
        await sql`set local enable_bitmapscan = off`.execute(tx);
        return alertsPage(tx, { organisationId: organisation.id, projectId }, input).explain();
      });
      // How the few verdicts of this test are read beside each alert, a planner may decide either way.
      const [text = ''] = JSON.stringify(plan).replaceAll(boundKeys, '').split('SubPlan');
      expect(text).toMatch(/Index Scan using alerts_(?:worst_first|of_tier)/);
      // Only the organisation, the project and what the index has: no row is read to be left out, but by the rule for keys
      // that are bound to projects.
      if (!('status' in input)) expect(text).not.toMatch(/" +Filter:/);
      expect(text).not.toContain('Sort');
    }
  });
});
