import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordAudit } from '../../../src/service/audit/record-audit.js';
import { newSortableId } from '../../../src/service/db/sortable-id.js';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

let service: TestService;
let organisation: TestOrganisation;

beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  organisation = await service.newOrganisation();
});
afterAll(() => service.close());

const read = async (query = '') => (await service.call(organisation.readKey, 'GET', `/api/org/audit-log${query}`)).body;

async function actions(query = ''): Promise<unknown[]> {
  const items = at(await read(query), 'items');
  return Array.isArray(items) ? items.map((item: unknown) => at(item, 'action')) : [];
}

describe('the audit log', () => {
  test('shows newest first, also within one transaction', async () => {
    const origin = {
      organisationId: organisation.id,
      actor: { kind: 'system', id: 'system', name: 'system' },
      ip: null,
      requestId: null,
    } as const;
    await service.database.tenant(organisation.id, async (tx) => {
      for (let index = 0; index < 20; index += 1) {
        await recordAudit(tx, origin, { action: `test.step_${index}`, target: { kind: 'test', id: 'x' } });
      }
    });
    expect(await actions()).toEqual(Array.from({ length: 20 }, (_, index) => `test.step_${19 - index}`));
  });

  test('is filtered by actor, action and time', async () => {
    await service.call(organisation.writeKey, 'POST', '/api/projects', { name: 'by key' });
    await service.call(organisation.member.session, 'POST', '/api/projects', { name: 'by member' });
    const [byMember, byKey] = [await read('?page_size=1'), await read('?page_size=1&page=2')];
    expect(at(byKey, 'items.0.actor')).toEqual({ kind: 'api_key', id: organisation.writeKeyId, name: 'ReadWrite key' });
    const memberAt = textAt(byMember, 'items.0.at');
    expect(at(await read(`?actor=${organisation.writeKeyId}`), 'total')).toBe(1);
    expect(at(await read('?actor=nobody'), 'total')).toBe(0);
    expect(at(await read('?action=project.create'), 'total')).toBe(2);
    expect(at(await read('?action=project'), 'total')).toBe(0);
    expect(at(await read(`?until=${new Date(Date.parse(memberAt) - 60_000).toISOString()}`), 'total')).toBe(0);
    expect(at(await read(`?since=${new Date(Date.parse(memberAt) - 60_000).toISOString()}`), 'total')).toBe(2);
    expect(at(await read(`?since=${new Date(Date.parse(memberAt) + 60_000).toISOString()}`), 'total')).toBe(0);
    expect(at(await read('?since=yesterday'), 'errors.0.field')).toBe('since');
  });

  test('cannot be rewritten by anybody', async () => {
    await service.call(organisation.writeKey, 'POST', '/api/projects', { name: 'kept' });
    const attempts = [
      () =>
        service.database.tenant(organisation.id, (tx) => tx.updateTable('audit_log').set({ action: 'x' }).execute()),
      () => service.database.tenant(organisation.id, (tx) => tx.deleteFrom('audit_log').execute()),
      () =>
        service.database.system((tx) =>
          sql`update audit_log set action = 'x' where organisation_id = ${organisation.id}`.execute(tx),
        ),
      () =>
        service.database.system((tx) =>
          tx.deleteFrom('audit_log').where('organisation_id', '=', organisation.id).execute(),
        ),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(/permission denied|append-only/);
    expect(await actions()).toEqual(['project.create']);
  });

  test('keeps of an update only what differs, and of nested values too', async () => {
    const origin = {
      organisationId: organisation.id,
      actor: { kind: 'system', id: 's', name: 's' },
      ip: null,
      requestId: null,
    } as const;
    const target = { kind: 'test', id: 'x' };
    await service.database.tenant(organisation.id, (tx) =>
      recordAudit(tx, origin, {
        action: 'test.update',
        target,
        before: { a: 1, b: [1, 2], c: 'x' },
        after: { a: 1, b: [1, 3], d: 'y' },
      }),
    );
    expect(at(await read(), 'items.0')).toMatchObject({ before: { b: [1, 2], c: 'x' }, after: { b: [1, 3], d: 'y' } });
  });
});

describe('ids that sort', () => {
  test('are in the order they were made, and fit the wire', () => {
    const ids = Array.from({ length: 1000 }, () => newSortableId('aud'));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(1000);
    expect(ids[0]).toMatch(/^aud_[0-9a-f]{32}$/);
  });
});
