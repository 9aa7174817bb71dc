import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Procedure } from '../../../src/procedures/define.js';
import { procedures } from '../../../src/procedures/index.js';
import { newId } from '../../../src/service/db/ids.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

let service: TestService;
let organisation: TestOrganisation;
let projectId: string;

beforeAll(async () => {
  service = await startService({ auditReads: true });
  organisation = await service.newOrganisation();
  const { body } = await service.call(organisation.writeKey, 'POST', '/api/projects', {
    name: 'a b',
    exposure: 'internet',
  });
  projectId = z.object({ id: z.string() }).parse(body).id;
});
afterAll(() => service.close());

interface Asked {
  readonly credential: string | null;
  readonly procedure: Procedure;
  readonly url: string;
}

/** What a call answers in process; without the id of the request, which is another one over HTTP. */
async function inProcess({ credential, procedure, url }: Asked) {
  const authorization = credential === null ? undefined : `Bearer ${credential}`;
  const from = { address: '203.0.113.7', userAgent: 'agent/1', door: 'api' } as const;
  const asked = { procedure, url, authorization, organisation: undefined, from };
  const request = { ...asked, requestId: 'in-process', left: never };
  const answer = await service.inProcess(request);
  if (answer === null) return null;
  return { status: answer.status, body: withoutId(answer.body) };
}

function withoutId(body: unknown): object {
  const { request_id: _, ...rest } = z.looseObject({ request_id: z.unknown() }).partial().parse(body);
  return rest;
}

const never = new AbortController().signal;

async function overHttp({ credential, url }: Asked) {
  const { status, body } = await service.call(credential, 'GET', url);
  return { status, body: withoutId(body) };
}

describe('a read in process', () => {
  const { alerts, apiKeys, organisation: org, projects } = procedures;
  const cases: readonly (readonly [string, 'readKey' | 'wrong' | null, Procedure, () => string, number])[] = [
    ['answers', 'readKey', org.get, () => '/api/org', 200],
    ['answers a list', 'readKey', projects.list, () => '/api/projects?page=1&page_size=5', 200],
    ['answers for a path', 'readKey', projects.get, () => `/api/projects/${projectId}`, 200],
    ['decodes its path', 'readKey', projects.get, () => `/api/projects/${projectId.replace('_', '%5F')}`, 200],
    ['refuses without a credential', null, org.get, () => '/api/org', 401],
    ['refuses a key that is none', 'wrong', org.get, () => '/api/org', 401],
    ['refuses what only admins may', 'readKey', apiKeys.list, () => '/api/org/api-keys', 403],
    ['finds no project of others', 'readKey', projects.get, () => `/api/projects/${newId('prj')}`, 404],
    ['names a bad field', 'readKey', alerts.list, () => `/api/projects/${projectId}/alerts?page_size=0`, 422],
    ['names a field that nobody knows', 'readKey', alerts.list, () => `/api/projects/${projectId}/alerts?x=1`, 422],
    ['refuses NUL in the query', 'readKey', alerts.list, () => `/api/projects/${projectId}/alerts?tier=%00`, 422],
    ['takes a field once', 'readKey', alerts.list, () => `/api/projects/${projectId}/alerts?tier=RED&tier=RED`, 422],
  ];
  test.each(cases)('%s as over HTTP', async (_, who, procedure, urlOf, status) => {
    const keys = { readKey: organisation.readKey, wrong: `${organisation.readKey.slice(0, -1)}x` };
    const asked = { credential: who === null ? null : keys[who], procedure, url: urlOf() };
    const answered = await inProcess(asked);
    expect(answered).toEqual(await overHttp(asked));
    expect(answered).toMatchObject({ status });
  });

  test('is in the audit log with the caller’s address, and in the log', async () => {
    await inProcess({ credential: organisation.readKey, procedure: projects.list, url: '/api/projects' });
    const { body } = await service.call(organisation.admin.session, 'GET', '/api/org/audit-log?page_size=100');
    const { items } = z.object({ items: z.array(z.unknown()) }).parse(body);
    expect(items).toContainEqual(
      expect.objectContaining({
        ...{ action: 'projects.list', ip: '203.0.113.7', device: 'agent/1', request_id: 'in-process' },
      }),
    );
    expect(service.log()).toContain('"request_id":"in-process","procedure":"projects.list","status":200');
  });

  test('sees at once that its key was revoked', async () => {
    const { readKey, readKeyId, admin } = await service.newOrganisation();
    const asked = { credential: readKey, procedure: org.get, url: '/api/org' };
    expect(await inProcess(asked)).toMatchObject({ status: 200 });
    await service.call(admin.session, 'DELETE', `/api/org/api-keys/${readKeyId}`);
    expect(await inProcess(asked)).toMatchObject({ status: 401 });
  });

  test.each([
    ['what writes', projects.create],
    ['a document', procedures.intelligence.exportSbom],
    ['signing in', procedures.session.create],
  ])('is not for %s', async (_, procedure) => {
    expect(await inProcess({ credential: organisation.writeKey, procedure, url: '/api/projects' })).toBeNull();
  });
});
