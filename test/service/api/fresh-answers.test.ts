import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { startService, type TestService } from '../../support/service.js';
import { newScannedProject } from '../findings/scanned-project.js';
import { result, run, sarif } from '../scanners/sarif/sarif-report.js';

describe('the service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  const total = async (credential: string) =>
    z.object({ total: z.int() }).parse((await service.call(credential, 'GET', '/api/projects')).body).total;
  const addProject = async (credential: string, name: string) => {
    const { status, body } = await service.call(credential, 'POST', '/api/projects', { name, exposure: 'internal' });
    expect(status).toBe(200);
    return z.object({ id: z.string() }).parse(body).id;
  };

  test('shows what anybody has written to the very next call of everybody', async () => {
    const { readKey, writeKey, admin } = await service.newOrganisation();
    const callers = [readKey, writeKey, admin.session];
    for (let count = 0; count < 4; count += 1) {
      for (const each of callers) expect(await total(each)).toBe(count);
      await addProject(writeKey, `project ${count}`);
    }
  });

  test('shows what an upload in a process of its own has written', async () => {
    const project = await newScannedProject(service);
    expect(await project.codeFindings()).toMatchObject({ total: 0 });
    const report = { ...sarif(run([result(1), result(2)])), properties: { padding: 'x'.repeat(300 * 1024) } };
    const { status } = await project.call('POST', '/sast/reports?source_repo=https://example.com/shop', report, {
      prefer: 'wait=60',
    });
    expect(status).toBe(200);
    expect(await project.codeFindings()).toMatchObject({ total: 2 });
  });

  test('answers nobody whose key was revoked, and shows one project no other', async () => {
    const { admin, writeKey } = await service.newOrganisation();
    const [first] = [await addProject(writeKey, 'one'), await addProject(writeKey, 'two')];
    const made = await service.call(admin.session, 'POST', '/api/org/api-keys', {
      ...{ name: 'bound', scope: 'ReadOnly', project_ids: [first] },
    });
    const { key, api_key } = z.object({ key: z.string(), api_key: z.object({ id: z.string() }) }).parse(made.body);
    expect([await total(writeKey), await total(key), await total(writeKey), await total(key)]).toEqual([2, 1, 2, 1]);
    await service.call(admin.session, 'DELETE', `/api/org/api-keys/${api_key.id}`);
    expect((await service.call(key, 'GET', '/api/projects')).status).toBe(401);
  });

  test('sends the same bytes again', async () => {
    const { readKey } = await service.newOrganisation();
    const send = async () => {
      const answer = await fetch(`${service.url}/api/org`, { headers: { authorization: `Bearer ${readKey}` } });
      return [answer.headers.get('content-type'), answer.headers.get('content-length'), await answer.text()];
    };
    const [first, again] = [await send(), await send()];
    expect(again).toEqual(first);
    expect(first[0]).toBe('application/json; charset=utf-8');
  });
});
