import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

let service: TestService;
let organisation: TestOrganisation;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const create = (name: string, key: string, credential = organisation.writeKey) =>
  service.call(credential, 'POST', '/api/projects', { name }, { 'idempotency-key': key });

async function namesOfProjects(): Promise<unknown[]> {
  const { body } = await service.call(organisation.readKey, 'GET', '/api/projects');
  const items = at(body, 'items');
  return Array.isArray(items) ? items.map((item: unknown) => at(item, 'name')) : [];
}

const keyRows = () =>
  service.database.system((tx) =>
    tx.selectFrom('idempotency_keys').selectAll().where('organisation_id', '=', organisation.id).execute(),
  );

describe('a repeated request', () => {
  test('gets the first one’s answer, and nothing is done twice', async () => {
    organisation = await service.newOrganisation();
    const first = await create('once', 'k1');
    const again = await create('once', 'k1');
    expect(again.body).toEqual(first.body);
    expect(again.status).toBe(200);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(await namesOfProjects()).toEqual(['once']);
    const { body } = await service.call(organisation.readKey, 'GET', '/api/org/audit-log?action=project.create');
    expect(at(body, 'total')).toBe(1);
  });

  test('that says something else is rejected', async () => {
    organisation = await service.newOrganisation();
    await create('one', 'k1');
    const other = await create('two', 'k1');
    expect(other.body).toMatchObject({ status: 409, code: 'conflict', reason: 'idempotency_key_reused' });
    expect(await namesOfProjects()).toEqual(['one']);
  });

  test('by another caller, in another organisation or of another procedure is a request of its own', async () => {
    const elsewhere = await service.newOrganisation();
    organisation = await service.newOrganisation();
    await create('one', 'k1');
    expect((await create('two', 'k1', organisation.member.session)).status).toBe(200);
    expect((await create('one', 'k1', elsewhere.writeKey)).headers.has('idempotency-replayed')).toBe(false);
    const stack = `/api/projects/${textAt((await create('one', 'k1')).body, 'id')}/tech-stack/sync`;
    const synced = await service.call(
      organisation.writeKey,
      'POST',
      stack,
      { source: 'a', packages: [] },
      { 'idempotency-key': 'k1' },
    );
    expect(synced).toMatchObject({ status: 200, body: { source: 'a' } });
    expect(synced.headers.has('idempotency-replayed')).toBe(false);
  });

  test('runs again where the first one failed', async () => {
    organisation = await service.newOrganisation();
    await create('taken', 'k0');
    expect((await create('taken', 'k1')).body).toMatchObject({ status: 409, reason: 'name_taken' });
    expect(await keyRows()).toHaveLength(1);
    const { body } = await service.call(organisation.readKey, 'GET', '/api/projects');
    await service.call(organisation.writeKey, 'DELETE', `/api/projects/${textAt(body, 'items.0.id')}`);
    const second = await create('taken', 'k1');
    expect(second.status).toBe(200);
    expect(second.headers.has('idempotency-replayed')).toBe(false);
  });

  test('sent many times at once runs once', async () => {
    organisation = await service.newOrganisation();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create('raced', 'k1')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set(answers.map(({ body }) => at(body, 'id'))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.has('idempotency-replayed'))).toHaveLength(7);
    expect(await namesOfProjects()).toEqual(['raced']);
  });

  test('whose answer held a secret says so, and neither shows nor keeps it', async () => {
    organisation = await service.newOrganisation();
    const make = (path: string, body: unknown) =>
      service.call(organisation.admin.session, 'POST', path, body, { 'idempotency-key': 'k1' });
    for (const [path, body, secret] of [
      ['/api/org/api-keys', { name: 'ci', scope: 'ReadOnly' }, 'key'],
      ['/api/org/invites', { email: `invited-${organisation.id}@example.com` }, 'token'],
    ] as const) {
      const first = await make(path, body);
      expect(textAt(first.body, secret)).toMatch(/^postern_/);
      const again = await make(path, body);
      expect(again.body).toMatchObject({
        status: 409,
        code: 'conflict',
        detail: expect.stringContaining('held a secret'),
      });
      expect(JSON.stringify(await keyRows())).not.toContain(textAt(first.body, secret));
    }
    expect((await keyRows()).map(({ response }) => response)).toEqual([null, null]);
    expect(at((await service.call(organisation.admin.session, 'GET', '/api/org/api-keys')).body, 'total')).toBe(3);
  });

  test('a day later is a new one, and the old key’s row is gone', async () => {
    organisation = await service.newOrganisation();
    await create('one', 'k1');
    const dayAgo = new Date(Date.now() - 24 * 60 * 60 * 1000 - 1000);
    await service.database.system((tx) =>
      sql`update idempotency_keys set created_at = ${dayAgo} where organisation_id = ${organisation.id}`.execute(tx),
    );
    expect((await create('one', 'k1')).body).toMatchObject({ status: 409, reason: 'name_taken' });
    await create('two', 'k2');
    const rows = await keyRows();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.created_at.getTime()).toBeGreaterThan(dayAgo.getTime());
  });
});

describe('an Idempotency-Key', () => {
  test.each(['', 'with space', 'x'.repeat(256), 'käse'])('of %j is rejected', async (key) => {
    organisation = await service.newOrganisation();
    const answer = await create('a', key);
    expect(answer.body).toMatchObject({ status: 400, code: 'malformed_request' });
  });

  test('may be 255 characters long', async () => {
    organisation = await service.newOrganisation();
    expect((await create('a', '~'.repeat(255))).status).toBe(200);
  });

  test('means nothing on other methods', async () => {
    organisation = await service.newOrganisation();
    const rename = (name: string) =>
      service.call(organisation.admin.session, 'PATCH', '/api/org', { name }, { 'idempotency-key': 'k1' });
    await rename('one');
    expect(at((await rename('two')).body, 'name')).toBe('two');
    expect(await keyRows()).toEqual([]);
  });
});
