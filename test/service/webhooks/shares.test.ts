import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { openDatabase } from '../../../src/service/db/open.js';
import { emitEvents } from '../../../src/service/events/outbox.js';
import { claimDue, type Shares, type UnderWay } from '../../../src/service/webhooks/claim.js';
import { deliveriesJob } from '../../../src/service/webhooks/deliveries.js';
import { HangingReceivers } from '../../../src/service/webhooks/hanging-receivers.js';
import { at, textAt } from '../../support/at.js';
import { kind as databaseKind, newDatabaseUrl, newDataDir } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { testSecrets } from '../../support/secrets.js';
import { startService, type TestService } from '../../support/service.js';
import { startJob } from '../../support/start-job.js';
import { newOrganisationWithProject } from '../projects/new-project.js';
import { scan } from './notifications.js';
import { startReceiver } from './receiver.js';

const allowed = new Set(['127.0.0.1']);

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

/** An organisation with a webhook for each of the addresses. */
async function newOrganisation(urls: readonly string[]) {
  const { organisation, key, projectId } = await newOrganisationWithProject(service);
  const path = `/api/projects/${projectId}/webhooks`;
  const ids: string[] = [];
  for (const [nth, url] of urls.entries()) {
    const body = { kind: 'generic', name: `webhook ${nth}`, url, events: ['scan.finished'] };
    const added = await service.call(key, 'POST', path, body);
    ids.push(textAt(added.body, 'webhook.id'));
  }
  const project = { organisationId: organisation.id, projectId };
  return {
    id: organisation.id,
    /** One event, which is due to each of the webhooks. */
    emit: (now = new Date()) =>
      database.tenant(organisation.id, (tx) =>
        emitEvents(tx, project, [{ type: 'scan.finished', data: { scan } }], now),
      ),
    test: (nth: number) => service.call(key, 'POST', `${path}/${ids[nth]}/test`),
    statusOf: async (nth: number) => {
      const { body } = await service.call(key, 'GET', `${path}/${ids[nth]}/deliveries`);
      return at(body, 'items.0.status');
    },
  };
}

const many = (count: number, url: string) => Array.from({ length: count }, () => url);

describe('what is due', () => {
  const shares: Shares = { of: 'events', max: 10, perOrganisation: 3, perOrigin: 5, canMail: false };
  const claim = (underWay: UnderWay[] = [], paused: Parameters<typeof claimDue>[4] = []) =>
    database.system((tx) => claimDue(tx, new Date(), shares, underWay, paused));

  test('is shared by organisations and by origins, whoever was first', async () => {
    const first = await newOrganisation(many(8, 'http://127.0.0.1:1/a'));
    const second = await newOrganisation(many(8, 'http://127.0.0.1:1/b'));
    const third = await newOrganisation(many(2, 'http://127.0.0.1:2/c'));
    const now = Date.now();
    for (const [nth, each] of [first, second, third].entries()) await each.emit(new Date(now - 10_000 + nth * 1_000));
    const claimed = await claim();
    const countOf = (id: string) => claimed.filter(({ organisation_id }) => organisation_id === id).length;
    expect(countOf(third.id)).toBe(2);
    expect(countOf(first.id) + countOf(second.id)).toBe(5);
    expect(countOf(first.id)).toBe(3);
    // Those under way count. Of the first organisation and at the first origin nothing more begins.
    expect(await claim(claimed)).toEqual([]);
  });

  test('to a receiver that is paused for one organisation is not attempted, and to another one it is', async () => {
    const paused = await newOrganisation(many(1, 'http://127.0.0.1:3/a'));
    const other = await newOrganisation(many(1, 'http://127.0.0.1:3/b'));
    await paused.emit();
    await other.emit();
    const claimed = await claim([], [{ organisationId: paused.id, origin: '127.0.0.1:3' }]);
    const at3 = claimed.filter(({ origin }) => origin === '127.0.0.1:3');
    expect(at3.map(({ organisation_id }) => organisation_id)).toEqual([other.id]);
  });
});

test('receivers of one organisation that hang delay neither another organisation nor a test', async () => {
  // They answer when the test is over.
  const hanging = await startReceiver(() => {});
  const quick = await startReceiver();
  const slow = await newOrganisation([...many(20, hanging.url), quick.url]);
  const other = await newOrganisation([quick.url]);
  await slow.emit(new Date(Date.now() - 5_000));
  const job = deliveriesJob({
    ...{ database, secrets: testSecrets, logger: pino({ level: 'silent' }) },
    ...{ allowedHosts: allowed, intervalMs: 20, timeoutMs: 600_000 },
  });
  const { stop } = startJob(database, job);
  onTestFinished(stop);
  await eventually(() => expect(hanging.received.length).toBeGreaterThanOrEqual(6));
  await other.emit();
  await eventually(async () => expect(await other.statusOf(0)).toBe('delivered'));
  await slow.test(20);
  await eventually(() => expect(quick.received.some(({ body }) => body.includes('"test"'))).toBe(true));
  expect(hanging.received).toHaveLength(6);
});

describe('a receiver that hangs', () => {
  const start = Date.now();
  const later = (seconds: number) => new Date(start + seconds * 1_000);

  test('is paused after three attempts, and longer after each further one', () => {
    const receivers = new HangingReceivers();
    const hang = (seconds: number) => receivers.hung('org', 'a.example', later(seconds));
    hang(0);
    hang(0);
    expect(receivers.paused(later(0))).toEqual([]);
    hang(0);
    expect(receivers.paused(later(29))).toMatchObject([{ organisationId: 'org', origin: 'a.example' }]);
    expect(receivers.paused(later(30))).toEqual([]);
    hang(31);
    expect(receivers.paused(later(90))).toHaveLength(1);
    for (const seconds of [100, 300, 700, 1_100]) hang(seconds);
    expect(receivers.paused(later(1_399))).toHaveLength(1);
    expect(receivers.paused(later(1_400))).toEqual([]);
  });

  test('is paused for its organisation alone, until it answers', () => {
    const receivers = new HangingReceivers();
    for (let nth = 0; nth < 3; nth += 1) receivers.hung('org', 'a.example', later(0));
    expect(receivers.paused(later(1)).map(({ organisationId }) => organisationId)).toEqual(['org']);
    receivers.answered('org', 'a.example');
    expect(receivers.paused(later(1))).toEqual([]);
  });
});
