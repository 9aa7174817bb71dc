import { once } from 'node:events';
import { createServer } from 'node:http';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { recordAudits } from '../../../src/service/audit/record-audit.js';
import { endQueue, nextEntries, settle } from '../../../src/service/audit-sink/outbox.js';
import { httpReceiver } from '../../../src/service/audit-sink/receivers.js';
import { auditSinkJob } from '../../../src/service/audit-sink/sink.js';
import type { Database } from '../../../src/service/db/database.js';
import { openDatabase } from '../../../src/service/db/open.js';
import { at, textAt } from '../../support/at.js';
import { kind, newDatabaseUrl, newDataDir } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { startService, type TestService } from '../../support/service.js';
import { startJob } from '../../support/start-job.js';
import { startReceiver } from '../webhooks/receiver.js';

/** Not the shared database: from the first sink on, everything in it would be queued. */
let databaseUrl: string | undefined;
let database: Database;
let service: TestService;
beforeAll(async () => {
  databaseUrl = kind === 'postgres' ? await newDatabaseUrl() : undefined;
  database = await openDatabase(databaseUrl === undefined ? { dataDir: await newDataDir() } : { databaseUrl });
  service = await startService({ database });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

/** A sink until the test is over, and what it has logged. */
async function startSink(url: string, options: { readonly timeoutMs?: number; readonly of?: Database } = {}) {
  const { timeoutMs, of = database } = options;
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const receiver = httpReceiver({ url, token: 'a secret token', ...(timeoutMs !== undefined && { timeoutMs }) });
  const job = await auditSinkJob({ database: of, receiver, logger, intervalMs: 20, firstWaitMs: 20 });
  const { stop } = startJob(of, job, logger);
  let stopped: Promise<void> | undefined;
  const end = () => {
    stopped ??= stop();
    return stopped;
  };
  onTestFinished(async () => {
    await end();
    await database.system(endQueue);
    await database.system((tx) => sql`delete from audit_outbox`.execute(tx));
  });
  return { stop: end, log: () => lines.join('') };
}

const entriesIn = (received: readonly { readonly body: string }[]) =>
  received.flatMap(({ body }) => body.split('\n').slice(0, -1)).map((line): unknown => JSON.parse(line));

const namesIn = (received: readonly { readonly body: string }[]) =>
  entriesIn(received).map((entry) => at(entry, 'after.name'));

async function create(key: string, names: readonly string[]): Promise<void> {
  for (const name of names) expect((await service.call(key, 'POST', '/api/projects', { name })).status).toBe(200);
}

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix} ${at}`);

const queued = () => database.system((tx) => tx.selectFrom('audit_outbox').select('entry_id').execute());

describe('the audit sink', () => {
  test('gets each entry of all organisations as it is answered, in the order of the log, and once', async () => {
    const [one, other] = [await service.newOrganisation(), await service.newOrganisation()];
    await create(one.writeKey, ['before there was a sink']);
    expect(await queued()).toEqual([]);
    const receiver = await startReceiver();
    await startSink(receiver.url);
    await create(one.writeKey, ['first', 'second']);
    await create(other.writeKey, ['third']);
    await eventually(async () => expect(await queued()).toEqual([]));
    expect(receiver.received[0]).toMatchObject({
      ...{ method: 'POST', path: '/hook/secret' },
      headers: {
        'content-type': 'application/x-ndjson',
        authorization: 'Bearer a secret token',
        'user-agent': 'postern',
      },
    });
    const entries = entriesIn(receiver.received);
    expect(entries.map((entry) => [at(entry, 'organisation_id'), at(entry, 'after.name')])).toEqual([
      [one.id, 'first'],
      [one.id, 'second'],
      [other.id, 'third'],
    ]);
    const { body } = await service.call(other.readKey, 'GET', '/api/org/audit-log');
    expect(entries[2]).toEqual({ organisation_id: other.id, ...Object(at(body, 'items.0')) });
  });

  test('that nobody answers for, and then one that refuses, gets everything once it takes it', async () => {
    const { writeKey } = await service.newOrganisation();
    const port = await freePort();
    const sink = await startSink(`http://127.0.0.1:${port}/hook/secret`);
    const names = numbered('waiting', 12);
    await create(writeKey, names);
    await eventually(() => expect(sink.log()).toContain('no connection (ECONNREFUSED)'));
    const received: { readonly body: string }[] = [];
    let refusals = 0;
    const server = createServer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(Buffer.from(chunk));
      if (refusals < 4) {
        refusals += 1;
        const [status, location] = refusals % 2 === 0 ? [302, 'http://127.0.0.1:1/'] : [503, ''];
        res.writeHead(status, { location, 'retry-after': '0' }).end();
        return;
      }
      received.push({ body: Buffer.concat(chunks).toString() });
      res.writeHead(200).end('{}');
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    await eventually(async () => expect(await queued()).toEqual([]));
    expect(namesIn(received)).toEqual(names);
    for (const words of ['it answered HTTP 503', 'it answered HTTP 302', 'takes entries again'])
      expect(sink.log()).toContain(words);
    for (const secret of ['hook/secret', 'secret token', 'waiting 0']) expect(sink.log()).not.toContain(secret);
  });

  test('that hangs makes nobody wait, and is told again after a stop', async () => {
    const { writeKey } = await service.newOrganisation();
    const hanging = await startReceiver(() => {});
    const sink = await startSink(hanging.url, { timeoutMs: 600_000 });
    await create(writeKey, ['hangs']);
    await eventually(() => expect(namesIn(hanging.received)).toEqual(['hangs']));
    await create(writeKey, numbered('meanwhile', 3));
    await sink.stop();
    // No process runs, but the log is written to all the same, as by a command.
    await create(writeKey, ['while stopped']);
    expect(await queued()).toHaveLength(5);
    const receiver = await startReceiver();
    await startSink(receiver.url);
    await eventually(async () => expect(await queued()).toEqual([]));
    expect(namesIn(receiver.received)).toEqual(['hangs', ...numbered('meanwhile', 3), 'while stopped']);
  });

  test('that does not answer in time is asked again', async () => {
    const { writeKey } = await service.newOrganisation();
    const receiver = await startReceiver((res, count) => (count > 1 ? res.writeHead(204).end() : undefined));
    const sink = await startSink(receiver.url, { timeoutMs: 500 });
    await create(writeKey, ['late']);
    await eventually(async () => expect(await queued()).toEqual([]));
    expect(new Set(namesIn(receiver.received))).toEqual(new Set(['late']));
    expect(sink.log()).toContain('no answer within 0.5 s');
  });

  test('gets what is on its way from a service that stops', async () => {
    const { writeKey } = await service.newOrganisation();
    const receiver = await startReceiver();
    const sink = await startSink(receiver.url);
    await create(writeKey, ['last']);
    await sink.stop();
    expect(namesIn(receiver.received)).toEqual(['last']);
  });

  test('gets large entries in requests of half a megabyte', async () => {
    const { id } = await service.newOrganisation();
    const receiver = await startReceiver();
    await startSink(receiver.url);
    const actor = { kind: 'system', id: 's', name: 's' } as const;
    const origin = { organisationId: id, actor, ip: null, device: null, requestId: null };
    const names = numbered('large', 5);
    const padding = 'x'.repeat(200 * 1024);
    await database.tenant(id, (tx) =>
      recordAudits(
        tx,
        origin,
        [...names, 'huge'].map((name) => ({
          action: 'project.update',
          target: { kind: 'test', id: name },
          after: { name, padding: name === 'huge' ? padding.repeat(4) : padding },
        })),
      ),
    );
    await eventually(async () => expect(await queued()).toEqual([]));
    expect(namesIn(receiver.received)).toEqual([...names, 'huge']);
    const sizes = receiver.received.map(({ body }) => body.length);
    expect(sizes.filter((size) => size > 512 * 1024)).toHaveLength(1);
    expect(receiver.received).toHaveLength(4);
  });
});

describe('of several instances', () => {
  test('one sends, and each entry once', async () => {
    const { writeKey } = await service.newOrganisation();
    const receiver = await startReceiver();
    const second = databaseUrl === undefined ? database : await openDatabase({ databaseUrl });
    if (second !== database) onTestFinished(() => second.close());
    await startSink(receiver.url);
    await startSink(receiver.url, { of: second });
    const names = numbered('shared', 60);
    await create(writeKey, names);
    await eventually(async () => expect(await queued()).toEqual([]));
    expect(namesIn(receiver.received)).toEqual(names);
  });

  test('another one goes on when the one that sends has died, and not before', async () => {
    const { writeKey } = await service.newOrganisation();
    await startSink((await startReceiver()).url).then(({ stop }) => stop());
    await create(writeKey, ['left behind']);
    const ask = (holder: string) => database.system((tx) => nextEntries(tx, holder));
    expect(await ask('the first')).toHaveLength(1);
    expect(await ask('the second'), 'the first one sends').toEqual([]);
    expect(await ask('the first'), 'it may go on').toHaveLength(1);
    await database.system((tx) => sql`update audit_sink set held_until = now() - interval '1 second'`.execute(tx));
    const entries = await ask('the second');
    expect(entries.map(({ after }) => after?.['name'])).toEqual(['left behind']);
    expect(await ask('the first')).toEqual([]);
    await database.system((tx) => settle(tx, entries));
    expect(await ask('the second')).toEqual([]);
  });

  test('one that starts without a sink ends nothing of one that has one', async () => {
    const { writeKey } = await service.newOrganisation();
    const receiver = await startReceiver();
    await startSink(receiver.url);
    await database.system(endQueue);
    await eventually(async () =>
      expect(await database.system((tx) => tx.selectFrom('audit_sink').select('holder').execute())).toHaveLength(1),
    );
    await create(writeKey, ['afterwards']);
    await eventually(() => expect(namesIn(receiver.received)).toEqual(['afterwards']));
  });
});

test.runIf(kind === 'postgres')(
  'an entry that is committed after later ones is sent all the same, and one that is not committed never is',
  async () => {
    const { id } = await service.newOrganisation();
    const receiver = await startReceiver();
    await startSink(receiver.url);
    const clients = [0, 1, 2].map(() => new pg.Client({ connectionString: databaseUrl }));
    for (const client of clients) {
      await client.connect();
      onTestFinished(() => client.end());
    }
    const [late, undone, soon] = clients;
    const write = async (client: pg.Client | undefined, name: string) => {
      await client?.query('begin');
      await client?.query(
        `insert into audit_log (organisation_id, id, actor_kind, actor_id, actor_name, action, target_kind, target_id, after)
          values ($1, $2, 'system', 's', 's', 'project.update', 'project', 'x', jsonb_build_object('name', $2::text))`,
        [id, name],
      );
    };
    await write(late, 'aud_1');
    await write(undone, 'aud_2');
    await write(soon, 'aud_3');
    await soon?.query('commit');
    await eventually(() => expect(namesIn(receiver.received)).toEqual(['aud_3']));
    await undone?.query('rollback');
    await late?.query('commit');
    await eventually(() => expect(namesIn(receiver.received)).toEqual(['aud_3', 'aud_1']));
    await eventually(async () => expect(await queued()).toEqual([]));
    expect(textAt(entriesIn(receiver.received)[1], 'organisation_id')).toBe(id);
  },
);
