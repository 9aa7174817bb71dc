import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alerts } from '../../../src/procedures/alerts.js';
import { forgetEvents } from '../../../src/service/alert-details/forget-events.js';
import { happened } from '../../../src/service/alert-details/list-history.js';
import { reassessProject } from '../../../src/service/assessment/reassess-project.js';
import { withoutRunner } from '../../../src/service/jobs/job.js';
import { expireOverrides } from '../../../src/service/reachability/expire-overrides.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { alertRow, newStack } from '../alerts/stack.js';
import { newProject } from '../projects/new-project.js';
import { projectWithVerdicts } from '../reachability/project-with-verdicts.js';
import { dependency, report } from '../reachability/report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const dayMs = 24 * 60 * 60 * 1000;

/** A judged project with one alert on a package whose flaw is of middling severity. */
async function oneAlert() {
  const project = await projectWithVerdicts(service);
  const [name, cve] = [unique.packageName(), unique.cve()];
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:L';
  const facts = { cves: [cve], severity: 'high' as const, cvss_score: 7.3, cvss_version: '3.1', cvss_vector: vector };
  await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0', facts));
  const purl = `pkg:npm/${name}@1.0.0`;
  await project.sync(purl);
  const { organisation, path, projectId } = project;
  const { body } = await service.call(organisation.readKey, 'GET', `${path}/alerts`);
  const [alert] = alerts.list.output.parse(body).items;
  if (alert === undefined) throw new Error('no alert was opened');
  const call = (method: string, rest: string, given?: unknown) =>
    service.call(organisation.writeKey, method, `${path}/alerts/${alert.id}${rest}`, given);
  return {
    ...project,
    ...{ alert, purl, cve, call },
    async history(query = '') {
      const answer = await call('GET', `/history?${query}`);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return alerts.listHistory.output.parse(answer.body);
    },
    judge: (usage: 'reached' | 'unused') => project.upload(report([dependency(purl, usage)])),
    reassess: () =>
      service.database.tenant(organisation.id, (tx) =>
        reassessProject(tx, { organisationId: organisation.id, projectId }, new Date()),
      ),
  };
}

const withoutTimes = ({ items }: { readonly items: readonly object[] }) =>
  items.map((entry) => Object.fromEntries(Object.entries(entry).filter(([name]) => !/^(?:id|at|exact)$/.test(name))));

describe('the history of an alert', () => {
  test('has who acknowledged it and took that back, and how it went and came back, newest first', async () => {
    const { call, sync, purl, history, organisation, alert } = await oneAlert();
    await call('POST', '/acknowledge', { note: 'not reached' });
    await call('POST', '/acknowledge', { clear: ['note'] });
    await call('POST', '/unacknowledge');
    await sync();
    expect(withoutTimes(await history()).at(0)).toEqual({ kind: 'resolved', resolution: 'package_removed' });
    await sync(purl);
    await service.call(organisation.member.session, 'POST', `/api/projects/${alert.project_id}/alerts/acknowledge`, {
      alert_ids: [alert.id],
      note: 'again',
    });
    const by = { kind: 'api_key', name: 'ReadWrite key' };
    const answer = await history();
    expect(withoutTimes(answer)).toEqual([
      { kind: 'acknowledged', by: { kind: 'member', name: organisation.member.name }, note: 'again' },
      { kind: 'reopened' },
      { kind: 'resolved', resolution: 'package_removed' },
      { kind: 'unacknowledged', by },
      { kind: 'acknowledged', by, note: null },
      { kind: 'acknowledged', by, note: 'not reached' },
      { kind: 'appeared' },
    ]);
    expect(answer).toMatchObject({ total: 7, complete: true, known_since: alert.first_seen_at });
    const times = answer.items.map(({ at }) => at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(answer.items.every(({ exact }) => exact)).toBe(true);
    expect(new Set(answer.items.map(({ id }) => id)).size).toBe(7);
  });

  test('has each change of the machine’s band, from the first verdict on, and what was different', async () => {
    const { judge, expose, history } = await oneAlert();
    await judge('unused');
    await expose('internet');
    await judge('reached');
    await judge('reached');
    const changes = withoutTimes(await history()).filter(({ kind }) => kind === 'verdict_changed');
    expect(changes).toEqual([
      {
        kind: 'verdict_changed',
        before: { band: 'likely_not_exploitable', effective_priority: expect.any(Number) },
        after: { band: 'needs_review', effective_priority: expect.any(Number) },
        because: ['usage'],
      },
      {
        kind: 'verdict_changed',
        before: { band: 'unanalyzed', effective_priority: null },
        after: { band: 'likely_not_exploitable', effective_priority: expect.any(Number) },
        because: ['usage'],
      },
    ]);
  });

  test('has no first verdict of an alert that is newer than the usage report', async () => {
    const { judge, sync, purl, path, organisation, history } = await oneAlert();
    await judge('reached');
    const other = unique.packageName();
    await storeAdvisory(service.database, other, advisory(unique.advisoryId(), '0', '2.0.0'));
    await sync(purl, `pkg:npm/${other}@1.0.0`);
    const { body } = await service.call(organisation.readKey, 'GET', `${path}/alerts?package=${other}`);
    const [newer] = alerts.list.output.parse(body).items;
    expect(newer?.verdict).not.toBe(null);
    const answer = await service.call(organisation.readKey, 'GET', `${path}/alerts/${newer?.id}/history`);
    expect(withoutTimes(alerts.listHistory.output.parse(answer.body))).toEqual([{ kind: 'appeared' }]);
    expect((await history()).total).toBe(2);
  });

  test('has changes of tier, and of the band by intelligence', async () => {
    const { judge, reassess, cve, history } = await oneAlert();
    await judge('reached');
    const listed = { cve, date_added: '2024-01-01', due_date: null, ransomware: false };
    await service.database.system((tx) => tx.insertInto('kev').values(listed).execute());
    await reassess();
    expect(withoutTimes(await history()).slice(0, 2)).toEqual([
      {
        kind: 'verdict_changed',
        before: { band: 'needs_review', effective_priority: expect.any(Number) },
        after: { band: 'known_exploited', effective_priority: expect.any(Number) },
        because: ['kev'],
      },
      { kind: 'tier_changed', before: 'YELLOW', after: 'RED' },
    ]);
    await reassess();
    expect((await history()).total).toBe(4);
  });

  test('has overrides: set, replaced, cleared and expired, by whom and why', async () => {
    const { judge, verdicts, override, clear, history, organisation } = await oneAlert();
    await judge('reached');
    const [verdict] = await verdicts();
    const id = verdict?.id ?? '';
    const expires_at = new Date(Date.now() + 60_000);
    await override(id, { verdict: 'NotExploitable', reason: 'sandboxed' });
    const [current] = await verdicts();
    const changed = { verdict: 'NotExploitable', reason: 'still sandboxed', expected_revision: current?.revision };
    expect((await override(id, changed)).status).toBe(200);
    await clear(id);
    await override(id, { verdict: 'Exploitable', reason: 'called by the job', expires_at: expires_at.toISOString() });
    await expireOverrides(service.database, new Date(Date.now() + 61_000));
    const by = { kind: 'member', name: organisation.member.name };
    const sandboxed = { verdict: 'NotExploitable', reason: 'sandboxed', expires_at: null };
    const entries = withoutTimes(await history()).filter(({ kind }) => String(kind).startsWith('override'));
    expect(entries).toEqual([
      { kind: 'override_expired', verdict: 'Exploitable', reason: 'called by the job' },
      { kind: 'override_set', by, verdict: 'Exploitable', reason: 'called by the job', expires_at },
      { kind: 'override_cleared', by, verdict: 'NotExploitable', reason: 'still sandboxed' },
      { kind: 'override_set', by, verdict: null, reason: 'still sandboxed', expires_at: null },
      { kind: 'override_set', by, ...sandboxed },
    ]);
  });

  test('comes in pages that leave nothing out', async () => {
    const { call, history } = await oneAlert();
    for (let nth = 0; nth < 5; nth += 1) await call('POST', '/acknowledge', { note: `note ${nth}` });
    const all = await history();
    const pages = [
      await history('page_size=2'),
      await history('page_size=2&page=2'),
      await history('page_size=2&page=3'),
    ];
    expect(pages.flatMap(({ items }) => items)).toEqual(all.items);
    expect(pages.map(({ total, has_more }) => [total, has_more])).toEqual([
      [6, true],
      [6, true],
      [6, false],
    ]);
  });

  test('says since when it is known', async () => {
    const { history, organisation, alert } = await oneAlert();
    const since = new Date(alert.first_seen_at.getTime() + 60_000);
    const keptSince = (at: Date) =>
      service.database.system((tx) =>
        sql`update organisations set history_since = ${at} where id = ${organisation.id}`.execute(tx),
      );
    await keptSince(since);
    expect(await history()).toMatchObject({ known_since: since, complete: false });
    await keptSince(new Date(0));
    const longAgo = new Date(Date.now() - 500 * dayMs);
    await service.database.system((tx) =>
      sql`update alerts set first_seen_at = ${longAgo} where id = ${alert.id}`.execute(tx),
    );
    const { known_since, complete } = await history();
    expect(complete).toBe(false);
    expect(Math.abs(known_since.getTime() - (Date.now() - 400 * dayMs))).toBeLessThan(dayMs);
  });
});

test('events that are older than 400 days are forgotten, and no others', async () => {
  const { judge, history, alert } = await oneAlert();
  await judge('unused');
  await judge('reached');
  const [newest] = (await history()).items;
  await service.database.system((tx) =>
    sql`update alert_events set at = ${new Date(Date.now() - 401 * dayMs)}
      where alert_id = ${alert.id} and at < ${newest?.at}`.execute(tx),
  );
  expect(await forgetEvents(service.database, new Date())).toBeGreaterThan(0);
  expect((await history()).items.map(({ kind }) => kind)).toEqual(['verdict_changed', 'appeared']);
  const stopped = new AbortController();
  stopped.abort();
  expect(
    await forgetEvents(service.database, new Date(Date.now() + 800 * dayMs), {
      ...withoutRunner,
      stopping: stopped.signal,
    }),
  ).toBe(0);
});

test('the history of what is not there, or is another’s, is a 404 that says which', async () => {
  const [own, other] = [await oneAlert(), await oneAlert()];
  const sibling = await newProject(service, own.organisation);
  for (const [path, resource] of [
    [`${own.path}/alerts/${other.alert.id}/history`, 'alert'],
    [`/api/projects/${sibling}/alerts/${own.alert.id}/history`, 'alert'],
    [`${other.path}/alerts/${other.alert.id}/history`, 'project'],
  ] as const) {
    const answer = await service.call(own.organisation.readKey, 'GET', path);
    expect(answer).toMatchObject({ status: 404, body: { resource } });
  }
});

test('a deleted project’s events go with it', async () => {
  const { organisation, projectId, path, key } = await newStack(service);
  const row = { ...alertRow(organisation.id, projectId), turns: ['2024-01-01'] };
  await service.database.system(async (tx) => {
    await tx.insertInto('alerts').values(row).execute();
    await sql`insert into alert_events (organisation_id, project_id, alert_id, at, kind, facts)
      values (${organisation.id}, ${projectId}, ${row.id}, now(), 'reopened', '{}')`.execute(tx);
  });
  expect((await service.call(key, 'DELETE', path.replace('/alerts', ''))).status).toBe(200);
  await service.database.system((tx) => tx.deleteFrom('projects').where('id', '=', projectId).execute());
  const { rows } = await service.database.system((tx) =>
    sql`select from alert_events where alert_id = ${row.id}`.execute(tx),
  );
  expect(rows).toEqual([]);
});

test('among 20,000 entries of the log, those of one alert are found by an index', async () => {
  const { organisation, projectId, alert } = await oneAlert();
  const key = { organisationId: organisation.id, projectId };
  await service.database.system(async (tx) => {
    await sql`insert into audit_log (organisation_id, id, actor_kind, actor_id, actor_name, action, target_kind, target_id, project_id)
      select ${organisation.id}, ${organisation.id} || n, 'member', 'm', 'Ada', 'alert.acknowledge', 'alert', 'alr_' || n, ${projectId}
      from generate_series(1, 20000) n`.execute(tx);
    await sql`analyze audit_log`.execute(tx);
  });
  const plan = await service.database.tenant(organisation.id, async (tx) => {
    const { rows } = await sql`explain ${happened(key, alert.id)}`.execute(tx);
    return JSON.stringify(rows);
  });
  expect(plan.includes('audit_log_of_alert')).toBe(true);
  expect(plan.includes('Seq Scan on audit_log')).toBe(false);
});
