import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { transientFailure } from '../../../src/service/http/database-failure.js';
import { at } from '../../support/at.js';
import { testDatabase } from '../../support/database.js';
import { startService, type TestService } from '../../support/service.js';
import { watched } from './watched-database.js';

let service: TestService;
afterEach(() => service.close());

/** A service whose database fails to insert into a table, with an error that quotes a secret as PostgreSQL would. */
async function startRefusing(table: string, code: string): Promise<TestService> {
  const failure = Object.assign(new Error('hunter2 does not fit'), {
    code,
    detail: 'Key (name)=(hunter2)',
    parameters: ['hunter2'],
  });
  const database = watched(await testDatabase(), (query) => {
    if (query.kind === 'InsertQueryNode' && JSON.stringify(query.into).includes(`"${table}"`)) throw failure;
  });
  return startService({ database });
}

describe('a request that fails inside', () => {
  test('gets 500 without a word of why; the log has it, under the request id, without values', async () => {
    service = await startRefusing('audit_log', '22001');
    const { admin } = await service.newOrganisation();
    const answer = await service.call(
      admin.session,
      'PATCH',
      '/api/org',
      { name: 'hunter2' },
      { 'x-request-id': 'failing-1' },
    );
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      type: 'urn:postern:problem:internal',
      title: 'Internal error',
      status: 500,
      code: 'internal',
      request_id: 'failing-1',
    });
    const line = service
      .log()
      .split('\n')
      .find((text) => text.includes('request failed'));
    expect(JSON.parse(line ?? '')).toMatchObject({
      level: 50,
      request_id: 'failing-1',
      failure: { name: 'Error', code: '22001' },
    });
    expect(line).toContain('failures.test.ts');
    expect(service.log()).not.toContain('hunter2');
  });

  test('leaves nothing behind: neither the change nor the audit row nor the idempotency key', async () => {
    service = await startRefusing('audit_log', 'XX000');
    const { admin, id } = await service.newOrganisation();
    const answer = await service.call(
      admin.session,
      'POST',
      '/api/projects',
      { name: 'gone' },
      { 'idempotency-key': 'k' },
    );
    expect(answer.status).toBe(500);
    const left = await service.database.system(async (tx) => [
      await tx.selectFrom('projects').select('id').where('organisation_id', '=', id).execute(),
      await tx.selectFrom('audit_log').select('id').where('organisation_id', '=', id).execute(),
      await tx.selectFrom('idempotency_keys').select('status').where('organisation_id', '=', id).execute(),
    ]);
    expect(left).toEqual([[], [], []]);
  });

  test.each([
    ['57P01', 'is busy or away', '1'],
    ['08006', 'is busy or away', '1'],
    ['EHOSTUNREACH', 'is busy or away', '1'],
    ['53100', 'has no space left', '60'],
    ['58030', 'has no space left', '60'],
    ['25006', 'is read-only', '60'],
    ['28P01', 'does not let this service in', '60'],
  ])('because of %s gets 503 that says the database %s, with Retry-After', async (code, says, seconds) => {
    service = await startRefusing('audit_log', code);
    const { admin } = await service.newOrganisation();
    const answer = await service.call(admin.session, 'PATCH', '/api/org', { name: 'x' });
    expect(answer.body).toMatchObject({ status: 503, code: 'unavailable', detail: expect.stringContaining(says) });
    expect(answer.headers.get('retry-after')).toBe(seconds);
    expect(service.log()).toContain(code);
  });

  test.each([
    'Client has encountered a connection error and is not queryable',
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'The embedded database has stopped: no space. Start the service again to open it.',
  ])('because of “%s” gets 503 too', (message) => {
    expect(transientFailure(new Error(message))).toMatchObject({ status: 503 });
    expect(transientFailure(new Error(`he said: ${message}`))).toBeUndefined();
  });

  test('waiting for another with its Idempotency-Key learns that one is running', async () => {
    service = await startRefusing('idempotency_keys', '55P03');
    const { writeKey } = await service.newOrganisation();
    const answer = await service.call(writeKey, 'POST', '/api/projects', { name: 'x' }, { 'idempotency-key': 'k' });
    expect(answer.body).toMatchObject({ status: 409, reason: 'in_progress' });
  });

  test('makes the health check say so', async () => {
    const database = watched(await testDatabase(), () => {});
    let isDown = false;
    const system: typeof database.system = (work, lane) =>
      isDown ? Promise.reject(new Error('down')) : database.system(work, lane);
    service = await startService({ database: { ...database, system } });
    isDown = true;
    expect((await service.call(null, 'GET', '/api/healthz')).body).toMatchObject({ status: 503, code: 'unavailable' });
  });
});

describe('a caller that hangs up', () => {
  test('before the body is whole leaves nothing, and the service goes on', async () => {
    service = await startService();
    const { writeKey, readKey } = await service.newOrganisation();
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `POST /api/projects HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${writeKey}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"name":"half`,
    );
    socket.end();
    await expect.poll(() => service.log()).toContain('"disconnected":true');
    expect(at((await service.call(readKey, 'GET', '/api/projects')).body, 'total')).toBe(0);
  });

  test('while the work is done changes nothing about it: it is done, once', async () => {
    const aborter = new AbortController();
    const database = watched(await testDatabase(), (query) => {
      if (query.kind === 'InsertQueryNode' && JSON.stringify(query.into).includes('"projects"')) aborter.abort();
    });
    service = await startService({ database });
    const { writeKey, readKey } = await service.newOrganisation();
    const hungUp = fetch(`${service.url}/api/projects`, {
      method: 'POST',
      signal: aborter.signal,
      headers: { authorization: `Bearer ${writeKey}`, 'content-type': 'application/json' },
      body: '{"name":"done"}',
    });
    await expect(hungUp).rejects.toThrow();
    await expect
      .poll(async () => at((await service.call(readKey, 'GET', '/api/projects')).body, 'items.0.name'))
      .toBe('done');
    expect((await service.call(readKey, 'GET', '/api/org/audit-log?action=project.create')).body).toMatchObject({
      total: 1,
    });
  });
});
