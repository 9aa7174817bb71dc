import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

let service: TestService;
let organisation: TestOrganisation;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function rename(body: Record<string, unknown>, headers: Record<string, string> = {}) {
  return service.call(organisation.admin.session, 'PATCH', '/api/org', body, headers);
}

describe('revisions', () => {
  test('are the entity tag of what has one', async () => {
    organisation = await service.newOrganisation();
    const read = await service.call(organisation.readKey, 'GET', '/api/org');
    expect(read.headers.get('etag')).toBe('"1"');
    const renamed = await rename({ name: 'second' });
    expect(renamed.headers.get('etag')).toBe('"2"');
    expect(at(renamed.body, 'revision')).toBe(2);
  });

  test('that match let an update pass, by header, by field or by both', async () => {
    organisation = await service.newOrganisation();
    expect((await rename({ name: 'a' }, { 'if-match': '"1"' })).status).toBe(200);
    expect((await rename({ name: 'b', expected_revision: 2 })).status).toBe(200);
    expect((await rename({ name: 'c', expected_revision: 3 }, { 'if-match': '"3"' })).status).toBe(200);
    expect((await rename({ name: 'd' }, { 'if-match': '*' })).status).toBe(200);
  });

  test('that are old get 412, and nothing changes', async () => {
    organisation = await service.newOrganisation();
    await rename({ name: 'first' });
    for (const stale of [
      await rename({ name: 'x' }, { 'if-match': '"1"' }),
      await rename({ name: 'x', expected_revision: 1 }),
    ]) {
      expect(stale.body).toMatchObject({ status: 412, code: 'revision_mismatch', reason: 'revision_mismatch' });
      expect(stale.headers.has('etag')).toBe(false);
    }
    expect(at((await service.call(organisation.readKey, 'GET', '/api/org')).body, 'name')).toBe('first');
  });

  test.each(['1', 'W/"1"', '"1", "2"', '"x"', '"0"', '"99999999999"'])('written as %s get 400', async (tag) => {
    organisation = await service.newOrganisation();
    const answer = await rename({ name: 'x' }, { 'if-match': tag });
    expect(answer.body).toMatchObject({ status: 400, code: 'malformed_request' });
  });

  test('that differ between header and field get 400', async () => {
    organisation = await service.newOrganisation();
    const answer = await rename({ name: 'x', expected_revision: 2 }, { 'if-match': '"1"' });
    expect(answer.body).toMatchObject({
      status: 400,
      detail: 'If-Match and expected_revision differ: send one of them',
    });
  });

  test('let one of two updates at once pass', async () => {
    organisation = await service.newOrganisation();
    const both = await Promise.all(['a', 'b'].map((name) => rename({ name }, { 'if-match': '"1"' })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  });
});
