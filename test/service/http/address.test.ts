import { afterEach, describe, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;
afterEach(() => service.close());

async function addressInAudit(forwardedFor: string): Promise<unknown> {
  const { writeKey } = await service.newOrganisation();
  await service.call(writeKey, 'POST', '/api/projects', { name: 'x' }, { 'x-forwarded-for': forwardedFor });
  return at((await service.call(writeKey, 'GET', '/api/org/audit-log')).body, 'items.0.ip');
}

describe('where a request came from', () => {
  test('is the connection’s other end, whatever a header claims', async () => {
    service = await startService();
    expect(await addressInAudit('203.0.113.9')).toBe('127.0.0.1');
  });

  test('is what a trusted proxy says, the last entry and no other', async () => {
    service = await startService({ trustProxy: 1 });
    expect(await addressInAudit('198.51.100.1, 203.0.113.9')).toBe('203.0.113.9');
    expect(await addressInAudit('::ffff:203.0.113.9')).toBe('203.0.113.9');
    expect(await addressInAudit('2001:db8::1')).toBe('2001:db8::1');
    expect(await addressInAudit('<script>')).toBeNull();
  });
});
