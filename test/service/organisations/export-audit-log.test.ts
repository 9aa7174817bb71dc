import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { eventually } from '../../support/eventually.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

const path = '/api/org/audit-log/export';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Entries of one moment, as one transaction has them, with ids that do not sort as they were written. */
async function fill(organisationId: string, rows: number, at = '2026-01-01T00:00:00.123456Z'): Promise<void> {
  await service.database.system((tx) =>
    sql`insert into audit_log (organisation_id, id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, after)
      select ${organisationId}, 'aud_' || md5(${at} || n), ${at}::timestamptz, 'system', 's', 's', 'project.update', 'project',
        n::text, jsonb_build_object('note', repeat('x', 1000))
      from generate_series(1, ${rows}::int) as n`.execute(tx),
  );
}

async function exported({ admin }: TestOrganisation, query = '') {
  const { status, headers, body } = await service.call(admin.session, 'GET', `${path}${query}`);
  return { status, type: headers.get('content-type'), lines: [body].flat() };
}

/** An export whose answer is not read further than it has come by itself. */
async function paused({ admin }: TestOrganisation): Promise<IncomingMessage> {
  const asking = request(`${service.url}${path}`, { headers: { authorization: `Bearer ${admin.session}` } }).end();
  const [answer]: IncomingMessage[] = await once(asking, 'response');
  if (answer === undefined) throw new Error('there is no answer');
  return answer;
}

describe('the audit log as a file', () => {
  test('has every entry of the organisation and of no other, oldest first, the export’s own last', async () => {
    const [ours, theirs] = [await service.newOrganisation(), await service.newOrganisation()];
    await service.call(ours.writeKey, 'POST', '/api/projects', { name: 'newest' }, { 'user-agent': 'agent/1' });
    await fill(ours.id, 3_000);
    await fill(theirs.id, 10);
    const { status, type, lines } = await exported(ours);
    expect({ status, type, entries: lines.length }).toEqual({
      ...{ status: 200, type: 'application/x-ndjson', entries: 3_002 },
    });
    const ids = lines.map((line) => textAt(line, 'id'));
    expect(ids.slice(0, 3_000)).toEqual(ids.slice(0, 3_000).toSorted());
    expect(new Set(ids).size).toBe(3_002);
    expect(lines[3_000]).toMatchObject({ action: 'project.create', device: 'agent/1', after: { name: 'newest' } });
    expect(lines[3_001]).toMatchObject({
      ...{ action: 'audit.export', target: { kind: 'organisation', id: ours.id }, session_id: expect.any(String) },
      ...{ actor: { kind: 'member', id: ours.admin.id }, after: { since: null, until: null } },
    });
    const newest = await service.call(ours.readKey, 'GET', '/api/org/audit-log?page_size=100');
    expect(at(newest.body, 'items')).toEqual(lines.slice(-100).toReversed());
  });

  test('begins and ends where it is asked to: since is included, until is not', async () => {
    const organisation = await service.newOrganisation();
    const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
    for (const day of days) await fill(organisation.id, 1, `${day}T00:00:00Z`);
    const daysOf = async (query: string) =>
      (await exported(organisation, query)).lines
        .filter((line) => at(line, 'action') === 'project.update')
        .map((line) => textAt(line, 'at').slice(0, 10));
    expect(await daysOf('?until=2026-01-01')).toEqual([]);
    expect(await daysOf('?since=2026-01-01&until=2026-01-02T00:00:00Z')).toEqual(days.slice(0, 1));
    expect(await daysOf('?since=2026-01-02')).toEqual(days.slice(1));
    expect(await daysOf('')).toEqual(days);
    expect(await exported(organisation, '?since=2100-01-01')).toMatchObject({ status: 200, lines: [] });
  });

  test('is for admins alone, and says what is wrong in a problem as any other answer', async () => {
    const { admin, member, readKey, writeKey } = await service.newOrganisation();
    const statusOf = async (credential: string | null) => (await service.call(credential, 'GET', path)).status;
    for (const credential of [member.session, readKey, writeKey]) expect(await statusOf(credential)).toBe(403);
    expect(await statusOf(null)).toBe(401);
    const { status, headers, body } = await service.call(admin.session, 'GET', `${path}?since=yesterday`);
    expect([status, headers.get('content-type')]).toEqual([422, 'application/problem+json']);
    expect(at(body, 'errors.0.field')).toBe('since');
    const log = await service.call(admin.session, 'GET', '/api/org/audit-log?action=audit.export');
    expect(at(log.body, 'total'), 'nothing was exported').toBe(0);
  });
});

describe('while it is sent', () => {
  test('a client that takes nothing keeps no transaction open, and gets the rest later', async () => {
    const organisation = await service.newOrganisation();
    await fill(organisation.id, 12_000);
    const answer = await paused(organisation);
    await eventually(() => expect(service.database.load()).toEqual({ running: 0, waiting: 0 }));
    const created = await service.call(organisation.writeKey, 'POST', '/api/projects', { name: 'meanwhile' });
    expect(created.status).toBe(200);
    const lines = (await text(answer)).split('\n');
    expect(lines).toHaveLength(12_002);
    expect(JSON.parse(lines.at(-2) ?? '')).toMatchObject({ action: 'audit.export' });
  });

  test('a client that leaves is no failure', async () => {
    const organisation = await service.newOrganisation();
    await fill(organisation.id, 12_000);
    const answer = await paused(organisation);
    const id = String(answer.headers['x-request-id']);
    answer.destroy();
    await eventually(() =>
      expect(service.log()).toContain(`"request_id":"${id}","procedure":"organisation.exportAuditLog"`),
    );
    expect(service.log()).not.toContain(`"request_id":"${id}","failure"`);
  });

  test('a failure after the first lines breaks it off, so that it is not taken for complete', async () => {
    const organisation = await service.newOrganisation();
    await fill(organisation.id, 1_200);
    await service.database.system((tx) =>
      sql`insert into audit_log (organisation_id, id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id)
        values (${organisation.id}, 'no id', '2026-01-02', 'system', 's', 's', 'project.update', 'project', 'x')`.execute(
        tx,
      ),
    );
    const response = await fetch(`${service.url}${path}`, {
      headers: { authorization: `Bearer ${organisation.admin.session}` },
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    const id = response.headers.get('x-request-id') ?? '';
    expect(service.log()).toContain(`"request_id":"${id}","failure"`);
    const { status } = await service.call(organisation.admin.session, 'GET', `${path}?since=2026-01-02`);
    expect(status, 'before the first line it is an answer').toBe(500);
  });
});
