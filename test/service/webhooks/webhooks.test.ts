import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { newOrganisationWithProject } from '../projects/new-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ webhookHosts: new Set(['relay.internal:8443']) });
});
afterAll(() => service.close());

const slack = { kind: 'slack', name: 'security', url: 'https://hooks.slack.com/services/T0/B0/sEcReT' };
const generic = { kind: 'generic', name: 'ours', url: 'https://hooks.example.com/in?token=sEcReT' };

async function newProjectOfWebhooks() {
  const { organisation, key, projectId } = await newOrganisationWithProject(service);
  const path = `/api/projects/${projectId}/webhooks`;
  return {
    organisation,
    call: (method: string, rest = '', body?: unknown, headers?: Record<string, string>) =>
      service.call(key, method, `${path}${rest}`, body, headers),
    as: (credential: string, method: string, rest = '', body?: unknown) =>
      service.call(credential, method, `${path}${rest}`, body),
    async add(body: unknown = slack): Promise<string> {
      const answer = await service.call(key, 'POST', path, body);
      return textAt(answer.body, 'webhook.id');
    },
  };
}

test('a webhook is added with its defaults, shown without its secret, and listed by name', async () => {
  const { call } = await newProjectOfWebhooks();
  const added = await call('POST', '', slack);
  expect(added).toMatchObject({
    status: 200,
    body: {
      webhook: {
        kind: 'slack',
        name: 'security',
        url: 'https://hooks.slack.com/…',
        events: ['alert.red', 'alert.known_exploited'],
        enabled: true,
        revision: 1,
        last_delivery: null,
      },
      secret: null,
    },
  });
  const other = await call('POST', '', { ...generic, events: ['scan.finished', 'alert.red', 'scan.finished'] });
  expect(other.body).toMatchObject({ webhook: { events: ['alert.red', 'scan.finished'] } });
  const list = await call('GET');
  expect(list.body).toMatchObject({ total: 2, items: [{ name: 'ours' }, at(added.body, 'webhook')] });
  expect(JSON.stringify([added.body, list.body])).not.toContain('sEcReT');
});

test('a generic webhook’s signing secret is shown once, and is nowhere else', async () => {
  const { call, organisation } = await newProjectOfWebhooks();
  const headers = { 'idempotency-key': `add-${organisation.id}` };
  const added = await call('POST', '', generic, headers);
  const secret = textAt(added.body, 'secret');
  expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
  const again = await call('POST', '', generic, headers);
  expect(again.status).toBe(409);
  await call('PATCH', `/${textAt(added.body, 'webhook.id')}`, { url: 'https://hooks.example.com/other?token=sEcReT' });
  await call('DELETE', `/${textAt(added.body, 'webhook.id')}`);
  const { body: audit } = await service.call(organisation.readKey, 'GET', '/api/org/audit-log');
  expect(audit).toMatchObject({
    items: expect.arrayContaining([
      expect.objectContaining({ action: 'webhook.add' }),
      expect.objectContaining({ action: 'webhook.update', after: { address_replaced: true } }),
      expect.objectContaining({ action: 'webhook.delete' }),
    ]),
  });
  for (const text of [JSON.stringify([again.body, audit, (await call('GET')).body]), service.log()]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain('sEcReT');
  }
});

describe('an address that cannot be a receiver', () => {
  test.each([
    ['http://169.254.169.254/latest', 'forbidden_address'],
    ['http://0x7f.1/', 'forbidden_address'],
    ['https://user:pass@example.com/', 'forbidden_address'],
    ['https://relay.internal/', 'forbidden_address'],
  ])('%s is refused when a webhook is added, and when one is updated', async (url, reason) => {
    const { call, add } = await newProjectOfWebhooks();
    const refused = { status: 422, body: { errors: [{ field: 'url', reason }] } };
    expect(await call('POST', '', { ...generic, url })).toMatchObject(refused);
    expect(await call('PATCH', `/${await add(generic)}`, { url })).toMatchObject(refused);
  });

  test.each(['https://example.com:0/', 'http://relay.internal:00/'])(
    '%s is refused for its port, when a webhook is added and when one is updated',
    async (url) => {
      const { call, add } = await newProjectOfWebhooks();
      const refused = {
        status: 422,
        body: { errors: [{ field: 'url', message: 'needs a port from 1 to 65535, or none' }] },
      };
      expect(await call('POST', '', { ...generic, url })).toMatchObject(refused);
      expect(await call('PATCH', `/${await add(generic)}`, { url })).toMatchObject(refused);
    },
  );

  test('one of another kind is refused', async () => {
    const { call } = await newProjectOfWebhooks();
    expect(await call('POST', '', { ...slack, url: 'https://example.com/' })).toMatchObject({
      status: 422,
      body: {
        errors: [
          {
            field: 'url',
            reason: 'wrong_kind_of_address',
            message: expect.stringContaining('slack takes hooks.slack.com, hooks.slack-gov.com; '),
          },
        ],
      },
    });
  });

  test('ftp is refused, and an allowed host is not', async () => {
    const { call } = await newProjectOfWebhooks();
    expect((await call('POST', '', { ...generic, url: 'ftp://example.com/' })).status).toBe(422);
    expect((await call('POST', '', { ...generic, url: 'https://relay.internal:8443/' })).status).toBe(200);
  });
});

describe('an update', () => {
  test('changes the given fields and the revision; the same again changes nothing', async () => {
    const { call, add } = await newProjectOfWebhooks();
    const id = await add();
    const update = { name: 'other', events: ['override.changed'] };
    const updated = await call('PATCH', `/${id}`, update);
    expect(updated.body).toMatchObject({ ...update, enabled: true, revision: 2, kind: 'slack' });
    expect((await call('PATCH', `/${id}`, update)).body).toEqual(updated.body);
  });

  test('that names nothing, or follows another one unseen, is refused', async () => {
    const { call, add } = await newProjectOfWebhooks();
    const id = await add();
    expect(await call('PATCH', `/${id}`, {})).toMatchObject({
      status: 422,
      body: { errors: [{ reason: 'no_change' }] },
    });
    expect((await call('PATCH', `/${id}`, { name: 'x' }, { 'if-match': '"2"' })).status).toBe(412);
    expect((await call('PATCH', `/${id}`, { events: [] })).status).toBe(422);
  });

  test('that switches it off fails what waits; a test is sent nevertheless', async () => {
    const { call, add } = await newProjectOfWebhooks();
    const id = await add();
    await call('POST', `/${id}/test`);
    await call('PATCH', `/${id}`, { enabled: false });
    const tested = await call('POST', `/${id}/test`);
    expect((await call('GET', `/${id}/deliveries`)).body).toMatchObject({
      total: 2,
      items: [
        { id: textAt(tested.body, 'delivery_id'), event: 'test', status: 'queued' },
        { status: 'failed', last_error: 'the webhook was switched off', next_attempt_at: null },
      ],
    });
  });
});

test('a deleted webhook is gone with its log', async () => {
  const { call, add } = await newProjectOfWebhooks();
  const id = await add();
  await call('POST', `/${id}/test`);
  expect((await call('DELETE', `/${id}`)).body).toEqual({ id, deleted: true });
  for (const [method, rest] of [
    ['DELETE', ''],
    ['PATCH', ''],
    ['POST', '/test'],
    ['GET', '/deliveries'],
  ] as const) {
    const body = method === 'PATCH' ? { name: 'x' } : undefined;
    expect(await call(method, `/${id}${rest}`, body)).toMatchObject({ status: 404, body: { resource: 'webhook' } });
  }
});

test('a read key may look and not touch; another organisation sees nothing', async () => {
  const { add, as, organisation } = await newProjectOfWebhooks();
  const id = await add();
  const stranger = await service.newOrganisation();
  for (const [method, rest, body] of [
    ['POST', '', slack],
    ['PATCH', `/${id}`, { name: 'x' }],
    ['DELETE', `/${id}`, undefined],
    ['POST', `/${id}/test`, undefined],
  ] as const) {
    expect((await as(organisation.readKey, method, rest, body)).status).toBe(403);
    expect((await as(stranger.writeKey, method, rest, body)).status).toBe(404);
  }
  expect((await as(organisation.readKey, 'GET', `/${id}/deliveries`)).status).toBe(200);
  expect((await as(stranger.readKey, 'GET')).status).toBe(404);
});
