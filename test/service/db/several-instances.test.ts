import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { emptyFolder, startPosternProgram } from '../../bin/running-postern.js';
import { at, textAt } from '../../support/at.js';
import { kind, newDatabaseUrl } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { noNginx, startNginx } from '../../support/nginx.js';
import { noPgbouncer, startPgbouncer } from '../../support/pgbouncer.js';
import { callerOf } from '../../support/service.js';
import { result, run, sarif } from '../scanners/sarif/sarif-report.js';

const missing = noNginx ?? noPgbouncer;
if (kind === 'postgres' && missing !== undefined) console.warn(`several instances are not tested: ${missing}`);

const page = z.object({ items: z.array(z.record(z.string(), z.unknown())), total: z.number() });
const signIn = z.object({ token: z.string() });
const firstRun = z.object({
  admin: z.object({ email: z.string(), password: z.string() }),
  keys: z.object({ read_only: z.string(), read_write: z.string() }),
  project_id: z.string(),
});

const report = JSON.stringify({
  ...sarif(run(Array.from({ length: 5 }, (_, line) => result(line + 1)))),
  properties: { padding: 'x'.repeat(300 * 1024) },
});

test.runIf(kind === 'postgres' && missing === undefined)(
  'three instances behind nginx, on one PostgreSQL through pgbouncer with two connections, are one service',
  async () => {
    const DATABASE_URL = await startPgbouncer(await newDatabaseUrl());
    const OPERATOR_KEY = randomBytes(32).toString('hex');
    const folders = [await emptyFolder(), await emptyFolder(), await emptyFolder()];
    const ports = [await freePort(), await freePort(), await freePort()];
    const programs = folders.map((DATA_DIR, number) =>
      startPosternProgram({ DATA_DIR, DATABASE_URL, OPERATOR_KEY, PORT: String(ports[number]), TRUST_PROXY: '1' }),
    );
    const urls = await Promise.all(programs.map((each) => each.ready()));
    const [first, second, third] = urls.map(callerOf);
    if (first === undefined || second === undefined || third === undefined) throw new Error('there are not three');
    const all = [first, second, third];
    const proxy = callerOf(await startNginx(ports));
    const runs = await Promise.all(
      folders.map((each) => readFile(path.join(each, 'first-run.json'), 'utf8').catch(() => [])),
    );
    expect(runs.flat()).toHaveLength(1);
    const { admin, keys, project_id } = firstRun.parse(JSON.parse(runs.flat()[0] ?? ''));

    // A session of one is good on all, until it is ended on another.
    const session = signIn.parse((await first(null, 'POST', '/api/session', admin)).body).token;
    for (const call of all) expect((await call(session, 'GET', '/api/session')).status).toBe(200);

    // What is written through any is there for all at once.
    const names = Array.from({ length: 12 }, (_, number) => `shop ${number}`);
    const made = await Promise.all(names.map((name) => proxy(keys.read_write, 'POST', '/api/projects', { name })));
    expect(made.map(({ status }) => status)).toEqual(names.map(() => 200));
    const lists = await Promise.all(all.map((call) => call(keys.read_only, 'GET', '/api/projects?page_size=100')));
    for (const { body } of lists) {
      expect(page.parse(body).items.map((project) => project['name'])).toEqual(expect.arrayContaining(names));
    }

    // A key that one has revoked is refused by all, at the next call.
    const created = await first(session, 'POST', '/api/org/api-keys', { name: 'ci', scope: 'ReadOnly' });
    const key = textAt(created.body, 'key');
    for (const call of all) expect((await call(key, 'GET', '/api/org')).status).toBe(200);
    await second(session, 'DELETE', `/api/org/api-keys/${textAt(created.body, 'api_key.id')}`);
    for (const call of all) expect((await call(key, 'GET', '/api/org')).status).toBe(401);

    // A large upload is one job, by whatever instance it is repeated and followed.
    const reports = `/api/projects/${project_id}/sast/reports?source_repo=https://example.com/several`;
    const asked = { 'idempotency-key': randomUUID(), 'content-type': 'application/json' };
    const answer = await first(keys.read_write, 'POST', reports, report, asked);
    const again = await second(keys.read_write, 'POST', reports, report, asked);
    expect([answer.status, again.body]).toEqual([200, answer.body]);
    expect(answer.body).toMatchObject({ findings: { new: 5 } });
    const accepted = await third(keys.read_write, 'POST', reports, report, {
      prefer: 'wait=0',
      'content-type': 'application/json',
    });
    expect(accepted.status).toBe(202);
    await eventually(async () => {
      const job = await first(keys.read_only, 'GET', accepted.headers.get('location') ?? '');
      expect(at(job.body, 'state')).toBe('done');
    });
    const uploads = page.parse((await second(keys.read_only, 'GET', `/api/projects/${project_id}/uploads`)).body);
    expect(uploads.items.map(({ state }) => state)).toEqual(['done', 'done']);

    // Two organisations that take turns on the same two connections see each their own.
    const creation = { name: 'Other', plan: 'Business', admin: { email: 'other@example.com', name: 'Other' } };
    const other = await first(OPERATOR_KEY, 'POST', '/api/operator/organisations', creation);
    const otherAdmin = { email: 'other@example.com', password: textAt(other.body, 'admin.password') };
    const otherSession = signIn.parse((await second(null, 'POST', '/api/session', otherAdmin)).body).token;
    const totals = { own: new Set<number>(), others: new Set<number>() };
    for (let round = 0; round < 10; round += 1) {
      const ask = async (credential: string, seen: Set<number>) =>
        seen.add(page.parse((await proxy(credential, 'GET', `/api/projects?page_size=${50 + round}`)).body).total);
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          await Promise.all([ask(session, totals.own), ask(otherSession, totals.others)]);
        }),
      );
    }
    expect([...totals.own]).toEqual([page.parse(lists[0]?.body).total]);
    expect([...totals.others]).toEqual([0]);

    expect((await third(session, 'DELETE', '/api/session')).status).toBe(200);
    for (const call of all) expect((await call(session, 'GET', '/api/session')).status).toBe(401);
    for (const each of programs) each.kill('SIGTERM');
    expect(await Promise.all(programs.map((each) => each.ended))).toEqual([0, 0, 0]);
  },
);
