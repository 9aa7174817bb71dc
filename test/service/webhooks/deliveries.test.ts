import { once } from 'node:events';
import { createServer } from 'node:net';
import { sql } from 'kysely';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type WebhookEvent, type WebhookKind, webhookKind } from '../../../src/procedures/webhooks.js';
import type { Database } from '../../../src/service/db/database.js';
import { openDatabase } from '../../../src/service/db/open.js';
import { emitEvents } from '../../../src/service/events/outbox.js';
import { claimDue, pruneLog, type Shares, type UnderWay } from '../../../src/service/webhooks/claim.js';
import { deliveriesJob } from '../../../src/service/webhooks/deliveries.js';
import { receivers } from '../../../src/service/webhooks/receivers/index.js';
import { textAt } from '../../support/at.js';
import { kind as databaseKind, newDatabaseUrl, newDataDir } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { testSecrets } from '../../support/secrets.js';
import { startService, type TestService } from '../../support/service.js';
import { startJob } from '../../support/start-job.js';
import { portOf } from '../../support/upstream.js';
import { newOrganisationWithProject } from '../projects/new-project.js';
import { scan } from './notifications.js';
import { startReceiver } from './receiver.js';

const allowed = new Set(['127.0.0.1']);
const happened = [{ type: 'scan.finished', data: { scan } }] as const;

/** Not the shared database: a sender claims every due delivery, and webhooks of other test files have other receivers. */
let database: Database;
let service: TestService;
beforeAll(async () => {
  database = await openDatabase(
    databaseKind === 'embedded' ? { dataDir: await newDataDir() } : { databaseUrl: await newDatabaseUrl() },
  );
  service = await startService({ database, webhookHosts: allowed });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

interface Wanted {
  readonly kind?: WebhookKind;
  readonly events?: readonly WebhookEvent[];
}

async function newWebhook(url: string, { kind = 'generic', events = ['scan.finished'] }: Wanted = {}) {
  const { organisation, key, projectId } = await newOrganisationWithProject(service);
  const path = `/api/projects/${projectId}/webhooks`;
  const { status, body } = await service.call(key, 'POST', path, { kind, name: 'ours', url, events });
  if (status !== 200) throw new Error(JSON.stringify(body));
  const id = textAt(body, 'webhook.id');
  const project = { organisationId: organisation.id, projectId };
  return {
    id,
    key,
    path,
    organisationId: organisation.id,
    answer: body,
    enqueue: (now = new Date()) => database.tenant(organisation.id, (tx) => emitEvents(tx, project, happened, now)),
    log: async () => {
      const { body: page } = await service.call(key, 'GET', `${path}/${id}/deliveries`);
      return page;
    },
    /** Brings the next attempt forward, as hours of waiting would. */
    makeDue: () =>
      database.system((tx) =>
        tx
          .updateTable('webhook_deliveries')
          .set({ next_attempt_at: new Date() })
          .where('webhook_id', '=', id)
          .where('next_attempt_at', 'is not', null)
          .execute(),
      ),
  };
}

/** What sends, until the test is over. */
function run(options: Partial<Parameters<typeof deliveriesJob>[0]> = {}) {
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const job = deliveriesJob({
    ...{ database, secrets: testSecrets, logger, allowedHosts: allowed, intervalMs: 20 },
    ...options,
  });
  const deliveries = startJob(database, job, logger);
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= deliveries.stop();
    return stopped;
  };
  onTestFinished(async () => {
    await stop();
    expect(lines).toEqual([]);
  });
  return { stop };
}

const settled = (log: () => Promise<unknown>, status: string) =>
  eventually(async () => expect(await log()).toMatchObject({ items: [{ status }] }));

describe('a notification arrives once, in the format of its receiver', () => {
  test.each(webhookKind.options)('%s', async (kind) => {
    const receiver = await startReceiver();
    const webhook = await newWebhook(receiver.url, { kind });
    const now = new Date();
    await webhook.enqueue(now);
    run();
    await settled(webhook.log, 'delivered');
    expect(receiver.received).toHaveLength(1);
    const [{ method, path, headers, body } = { method: '', path: '', headers: {}, body: '' }] = receiver.received;
    expect({ method, path }).toEqual({ method: 'POST', path: '/hook/secret' });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    const project = await database.system((tx) =>
      tx
        .selectFrom('projects')
        .select(['id', 'name'])
        .where('organisation_id', '=', webhook.organisationId)
        .executeTakeFirstOrThrow(),
    );
    const sent = { type: 'scan.finished', timestamp: now.toISOString(), data: { project, scan } } as const;
    expect(JSON.parse(body)).toEqual(receivers[kind].body(sent));
    expect(await webhook.log()).toMatchObject({
      items: [{ event: 'scan.finished', attempts: 1, next_attempt_at: null, last_error: null }],
    });
  });
});

test('a generic receiver can verify the signature with the secret it was shown', async () => {
  const receiver = await startReceiver((res, count) => res.writeHead(count === 1 ? 500 : 200).end());
  const webhook = await newWebhook(receiver.url);
  const secret = textAt(webhook.answer, 'secret');
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await webhook.enqueue();
  run();
  await settled(webhook.log, 'retrying');
  await webhook.makeDue();
  await settled(webhook.log, 'delivered');
  const ids = receiver.received.map(({ headers, body }) => {
    const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    expect(new Webhook(secret).verify(body, signed)).toMatchObject({ type: 'scan.finished' });
    expect(() => new Webhook(secret).verify(`${body} `, signed)).toThrow();
    return headers['webhook-id'];
  });
  expect(ids).toHaveLength(2);
  expect(new Set(ids)).toEqual(new Set([textAt(await webhook.log(), 'items.0.id')]));
});

test('what was queued before a restart of the service is sent after it, and once, however many look', async () => {
  const receiver = await startReceiver();
  const place = databaseKind === 'embedded' ? { dataDir: await newDataDir() } : { databaseUrl: await newDatabaseUrl() };
  const before = await openDatabase(place);
  const first = await startService({ database: before, webhookHosts: allowed });
  const { key, projectId } = await newOrganisationWithProject(first);
  const path = `/api/projects/${projectId}/webhooks`;
  const added = await first.call(key, 'POST', path, { kind: 'generic', name: 'ours', url: receiver.url });
  const log = `${path}/${textAt(added.body, 'webhook.id')}/deliveries`;
  expect((await first.call(key, 'POST', log.replace('deliveries', 'test'))).status).toBe(200);
  await first.close();
  await before.close();

  const after = await openDatabase(place);
  const second = await startService({ database: after, webhookHosts: allowed });
  const senders = [run({ database: after }), run({ database: after })];
  await settled(async () => (await second.call(key, 'GET', log)).body, 'delivered');
  expect(receiver.received).toHaveLength(1);
  for (const sender of senders) await sender.stop();
  await second.close();
  await after.close();
});

/** Of what is due in this file, each test has little. */
const roomy: Shares = { of: 'events', max: 8, perOrganisation: 8, perOrigin: 8, canMail: false };

test('an attempt whose process died is made again when its lease is over, under the same id', async () => {
  const receiver = await startReceiver();
  const webhook = await newWebhook(receiver.url);
  await webhook.enqueue();
  const claim = (now: Date) => database.system((tx) => claimDue(tx, now, roomy, [], []));
  const now = new Date();
  const [died] = await claim(now);
  expect(await claim(new Date(now.getTime() + 59_000))).toEqual([]);
  const [again] = await claim(new Date(now.getTime() + 60_000));
  expect(again).toMatchObject({ id: died?.id, attempts: 2 });
});

test('one webhook has one delivery under way, and those of others are not held up by it', async () => {
  const [busy, other] = [await newWebhook('http://127.0.0.1/'), await newWebhook('http://127.0.0.1/')];
  for (const webhook of [busy, busy, other]) await webhook.enqueue();
  const underWay = { receiver_id: busy.id, organisation_id: busy.organisationId, origin: '127.0.0.1' };
  const claim = (running: UnderWay[]) => database.system((tx) => claimDue(tx, new Date(), roomy, running, []));
  expect((await claim([underWay])).map(({ receiver_id }) => receiver_id)).toEqual([other.id]);
  expect((await claim([])).map(({ receiver_id }) => receiver_id)).toEqual([busy.id]);
});

describe('the error of a failed attempt does not name the address', () => {
  async function failing(url: string, options: Parameters<typeof run>[0] = {}) {
    const webhook = await newWebhook(url);
    await webhook.enqueue();
    run(options);
    await settled(webhook.log, 'retrying');
    return textAt(await webhook.log(), 'items.0.last_error');
  }

  test.each([
    [301, 'the receiver answered HTTP 301: redirects are not followed'],
    [307, 'the receiver answered HTTP 307: redirects are not followed'],
    [404, 'the receiver answered HTTP 404'],
    [503, 'the receiver answered HTTP 503'],
  ])('HTTP %s', async (status, error) => {
    const target = await startReceiver();
    const receiver = await startReceiver((res) => res.writeHead(status, { location: target.url }).end());
    expect(await failing(receiver.url)).toBe(error);
    expect(target.received).toEqual([]);
  });

  test('nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = portOf(server.address());
    server.close();
    await once(server, 'close');
    expect(await failing(`http://127.0.0.1:${port}/secret`)).toBe('no connection (ECONNREFUSED)');
  });

  test('no answer in time', async () => {
    const receiver = await startReceiver(() => {});
    expect(await failing(receiver.url, { timeoutMs: 100 })).toBe('no answer within 0.1 s');
  });

  test('an address that is private when the connection is made', async () => {
    const receiver = await startReceiver();
    expect(await failing(receiver.url, { allowedHosts: new Set() })).toBe(
      'refused: the address leads to a private, loopback, link-local or metadata address',
    );
    expect(receiver.received).toEqual([]);
  });
});

test('a stop does not wait for a receiver that hangs, whose attempt is made again after it', async () => {
  const receiver = await startReceiver(() => {});
  const webhook = await newWebhook(receiver.url);
  await webhook.enqueue();
  const { stop } = run({ timeoutMs: 600_000 });
  await eventually(() => expect(receiver.received).toHaveLength(1));
  await stop();
  expect(await webhook.log()).toMatchObject({ items: [{ status: 'queued', attempts: 1, last_error: null }] });
  expect(Date.parse(textAt(await webhook.log(), 'items.0.next_attempt_at'))).toBeGreaterThan(Date.now());
  await service.call(webhook.key, 'DELETE', `${webhook.path}/${webhook.id}`);
});

test('what is due is found by the index of what is due', async () => {
  const webhook = await newWebhook('http://127.0.0.1/');
  const plan = await database.system(async (tx) => {
    await sql`
      insert into webhook_deliveries (organisation_id, id, webhook_id, event, payload, status, created_at)
      select ${webhook.organisationId}, 'old_' || n, ${webhook.id}, 'test', '{}', 'delivered', now()
      from generate_series(1, 5000) as n`.execute(tx);
    await sql`analyze webhook_deliveries`.execute(tx);
    const { rows } = await sql`
      explain select id from webhook_deliveries where next_attempt_at <= now() order by next_attempt_at`.execute(tx);
    return JSON.stringify(rows);
  });
  await service.call(webhook.key, 'DELETE', `${webhook.path}/${webhook.id}`);
  expect(plan).toContain('webhook_deliveries_due');
});

test('an answer without end is not waited for', async () => {
  const receiver = await startReceiver((res) => {
    res.writeHead(200);
    res.on('error', () => {});
    const more = () => {
      if (!res.destroyed && res.write('x'.repeat(64 * 1024))) setImmediate(more);
    };
    res.on('drain', more);
    more();
  });
  const webhook = await newWebhook(receiver.url);
  await webhook.enqueue();
  run({ timeoutMs: 2_000 });
  await settled(webhook.log, 'delivered');
});

test('Retry-After of a 429 is honoured', async () => {
  const receiver = await startReceiver((res) => res.writeHead(429, { 'retry-after': '7200' }).end());
  const webhook = await newWebhook(receiver.url);
  await webhook.enqueue();
  run();
  await settled(webhook.log, 'retrying');
  const next = Date.parse(textAt(await webhook.log(), 'items.0.next_attempt_at'));
  expect(next - Date.now()).toBeGreaterThan(7_100_000);
});

test('a notification that this version cannot read is tried again, and holds up no other webhook', async () => {
  const receiver = await startReceiver();
  const [broken, sound] = [await newWebhook(receiver.url), await newWebhook(receiver.url)];
  await broken.enqueue();
  await database.system((tx) =>
    tx.updateTable('webhook_deliveries').set({ payload: '{}' }).where('webhook_id', '=', broken.id).execute(),
  );
  await sound.enqueue();
  run();
  await settled(broken.log, 'retrying');
  await settled(sound.log, 'delivered');
  expect(textAt(await broken.log(), 'items.0.last_error')).toBe('this version cannot read the notification');
  expect(receiver.received).toHaveLength(1);
});

test('after 24 hours it has failed', async () => {
  const receiver = await startReceiver((res) => res.writeHead(500).end());
  const webhook = await newWebhook(receiver.url);
  await webhook.enqueue(new Date(Date.now() - 24 * 3_600_000));
  run();
  await settled(webhook.log, 'failed');
  expect(await webhook.log()).toMatchObject({ items: [{ next_attempt_at: null, attempts: 1 }] });
});

test('410 switches the webhook off, fails what waits, and leaves a trace in the audit log', async () => {
  const receiver = await startReceiver((res) => res.writeHead(410).end());
  const webhook = await newWebhook(receiver.url);
  await webhook.enqueue();
  await webhook.enqueue();
  run();
  await eventually(async () =>
    expect(await webhook.log()).toMatchObject({ items: [{ status: 'failed' }, { status: 'failed' }] }),
  );
  expect(receiver.received).toHaveLength(1);
  const { body } = await service.call(webhook.key, 'GET', webhook.path);
  expect(body).toMatchObject({ items: [{ enabled: false, revision: 2, last_delivery: { status: 'failed' } }] });
  const { body: audit } = await service.call(webhook.key, 'GET', '/api/org/audit-log?action=webhook.switch_off');
  expect(audit).toMatchObject({ total: 1 });
});

test('the log is kept for 30 days; what still waits, however long', async () => {
  const webhook = await newWebhook('http://127.0.0.1/');
  const now = new Date();
  const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 3_600_000);
  for (const days of [29, 31, 32]) await webhook.enqueue(daysAgo(days));
  await database.system((tx) =>
    tx
      .updateTable('webhook_deliveries')
      .set({ status: 'delivered', next_attempt_at: null })
      .where('webhook_id', '=', webhook.id)
      .where('created_at', '>', daysAgo(31.5))
      .execute(),
  );
  expect(await database.system((tx) => pruneLog(tx, now))).toBe(1);
  expect(await webhook.log()).toMatchObject({ total: 2, items: [{ status: 'delivered' }, { status: 'queued' }] });
  await service.call(webhook.key, 'DELETE', `${webhook.path}/${webhook.id}`);
});
