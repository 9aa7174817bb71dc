import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { AnswerCache } from '../../../src/service/api/answer-cache.js';
import type { Caller } from '../../../src/service/auth/caller.js';
import { kind } from '../../support/database.js';
import { startService, type TestService } from '../../support/service.js';
import { newScannedProject } from '../findings/scanned-project.js';
import { result, run, sarif } from '../scanners/sarif/sarif-report.js';

const newCaller = (): Caller => ({
  ...{ kind: 'api_key', organisationId: 'org_1', plan: 'Business', id: 'key_1', name: 'CI', scope: 'ReadOnly' },
  ...{ expiresAt: null, projectIds: null },
});

/** A cache whose questions are answered by a number that grows; `wait` holds answers back. */
function counting({ wait, size = 1 }: { readonly wait?: Promise<void>; readonly size?: number } = {}) {
  let [revision, asked] = [0, 0];
  const cache = new AnswerCache(() => revision);
  return {
    cache,
    write: () => (revision += 1),
    ask: (caller: Caller, question = 'projects.list /api/projects') =>
      cache.find(caller, question, async () => {
        asked += 1;
        const answer = { number: asked, text: 'x'.repeat(size), absent: undefined };
        await wait;
        return answer;
      }),
  };
}

describe('an answer', () => {
  const caller = newCaller();

  test('is given again to the same caller for the same question', async () => {
    const { ask } = counting();
    const first = await ask(caller);
    expect(await ask(caller)).toBe(first);
    expect(await ask(caller, 'projects.list /api/projects?page=2')).toMatchObject({ number: 2 });
    expect(await ask(newCaller())).toMatchObject({ number: 3 });
  });

  test('is given to all who ask at once, and is as both doors send it', async () => {
    const { ask } = counting();
    const [first, ...others] = await Promise.all([ask(caller), ask(caller), ask(caller)]);
    expect(Object.keys(first ?? {})).toEqual(['number', 'text']);
    for (const other of others) expect(other).toBe(first);
    expect(() => Object.assign(first ?? {}, { number: 0 })).toThrow(TypeError);
  });

  test('is not given again when something was written since, or while it was read', async () => {
    let go = () => {};
    const { ask, write } = counting({ wait: new Promise((resolve) => (go = resolve)) });
    const before = ask(caller);
    write();
    const after = ask(caller);
    go();
    expect(await before).toMatchObject({ number: 1 });
    expect(await after).toMatchObject({ number: 2 });
    expect(await ask(caller)).toMatchObject({ number: 2 });
    write();
    expect(await ask(caller)).toMatchObject({ number: 3 });
  });

  test('that failed is asked again', async () => {
    const { cache } = counting();
    const failing = () => cache.find(caller, 'a', () => Promise.reject(new Error('not now')));
    await expect(failing()).rejects.toThrow('not now');
    expect(await cache.find(caller, 'a', async () => ({ ok: true }))).toEqual({ ok: true });
  });

  test('is forgotten when many large ones came after it', async () => {
    const { ask } = counting({ size: 5_000_000 });
    await ask(caller, 'first');
    for (let at = 0; at < 4; at += 1) await ask(caller, `next ${at}`);
    expect(await ask(caller, 'next 3')).toMatchObject({ number: 5 });
    expect(await ask(caller, 'first')).toMatchObject({ number: 6 });
  });

  test('is read each time where others may write', async () => {
    const cache = new AnswerCache(() => null);
    let asked = 0;
    const ask = () =>
      cache.find(caller, 'a', async () => {
        asked += 1;
        return { number: asked, absent: undefined };
      });
    expect([await ask(), await ask()]).toEqual([{ number: 1 }, { number: 2 }]);
  });
});

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

  test.runIf(kind === 'embedded')('knows that data has changed before it is written', async () => {
    const { database } = service;
    const before = database.dataRevision();
    await database.read({ organisationId: 'org_none', projectIds: null }, async () => {}, { maxWaitMs: 20_000 });
    expect(database.dataRevision()).toBe(before);
    await database.system(async () => expect(database.dataRevision()).toBe((before ?? 0) + 1));
  });
});
