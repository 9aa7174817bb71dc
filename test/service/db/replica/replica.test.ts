import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../../src/service/db/ids.js';
import { openShared } from '../../../../src/service/db/open.js';
import { kind } from '../../../support/database.js';
import { eventually } from '../../../support/eventually.js';
import { noPgbouncer, startPgbouncer } from '../../../support/pgbouncer.js';
import { noStandby } from '../../../support/standby.js';
import { result, run, sarif } from '../../scanners/sarif/sarif-report.js';
import { isUsed, listed, newShop, type Pair, patient, startPair } from './pair.js';

if (kind === 'postgres' && noStandby !== undefined) console.warn(`reads on a standby are not tested: ${noStandby}`);

describe.runIf(kind === 'postgres' && noStandby === undefined)('reads on a streaming standby', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
  });
  afterAll(() => pair?.close());

  test('are answered by the standby, by its row-level security', async () => {
    const { database } = await pair.open(patient);
    await isUsed(database);
    const ids = [newId('org'), newId('org'), newId('org')];
    for (const id of ids) {
      await database.system((tx) => tx.insertInto('organisations').values({ id, name: 'n', plan: 'Free' }).execute());
    }
    await pair.caughtUp();
    const seen = sql<{ standby: boolean; role: string; rows: string[] }>`select pg_is_in_recovery() as standby,
      current_user::text as role, (select coalesce(array_agg(id), '{}') from organisations) as rows`;
    await Promise.all(
      Array.from({ length: 60 }, async (_, number) => {
        const organisationId = ids[number % ids.length] ?? '';
        const tenant = { organisationId, projectIds: null };
        const { rows } = await database.read(tenant, (tx) => seen.execute(tx), { maxWaitMs: 60_000, lastWrite: null });
        expect(rows).toEqual([{ standby: true, role: 'postern_tenant', rows: [organisationId] }]);
        // Whoever must have the newest asks the pair.primary.
        const newest = await database.read(tenant, (tx) => seen.execute(tx), { maxWaitMs: 60_000 });
        expect(newest.rows).toEqual([{ standby: false, role: 'postern_tenant', rows: [organisationId] }]);
      }),
    );
    expect(database.replica()?.reads).toEqual({ replica: 60, primary: 60, failed: 0 });
  });

  test('may be late, but never by more than the limit', async () => {
    const [late, usual] = [await pair.startInstance(patient), await pair.startInstance()];
    const shop = await newShop(late);
    await newShop(usual);
    await pair.pauseReplay();
    await pair.rename(shop.projectId, 'market');
    expect(await late.names(shop)).toEqual(['shop']);
    await eventually(async () => expect(await usual.names(shop)).toEqual(['market']));
    expect(usual.database.replica()?.isUsed).toBe(false);
    await eventually(() => expect(usual.changes.at(-1)).toEqual(['behind', expect.stringContaining('2000 ms behind')]));
    expect(await late.names(shop)).toEqual(['shop']);
    await pair.resumeReplay();
    await eventually(async () => expect(await late.names(shop)).toEqual(['market']));
    await isUsed(usual.database);
    await eventually(() => expect(usual.changes.at(-1)).toEqual(['used', null]));
  });

  test('show an organisation its own writes at once, whatever instance made them', async () => {
    const [first, second] = [await pair.startInstance(patient), await pair.startInstance(patient)];
    const [shop, other] = [await newShop(first), await newShop(second)];
    await pair.pauseReplay();
    await first.call(shop.writeKey, 'POST', '/api/projects', { name: 'market' });
    expect((await first.names(shop)).sort()).toEqual(['market', 'shop']);
    expect((await second.names(shop)).sort()).toEqual(['market', 'shop']);
    // Names of projects are looked up there too.
    expect((await second.call(shop.readKey, 'GET', '/api/projects/market')).status).toBe(200);
    const before = second.database.replica()?.reads.replica ?? 0;
    expect(await second.names(other)).toEqual(['shop']);
    expect(second.database.replica()?.reads.replica).toBe(before + 1);
  });

  test('show an organisation its uploads at once, which another process writes', async () => {
    const [first, second] = [await pair.startInstance(patient), await pair.startInstance(patient)];
    const shop = await newShop(first);
    const report = JSON.stringify({
      ...sarif(run([result(1), result(2)])),
      properties: { padding: 'x'.repeat(300 * 1024) },
    });
    await pair.pauseReplay();
    const reports = `/api/projects/${shop.projectId}/sast/reports?source_repo=https://example.com/shop`;
    const uploaded = await first.call(shop.writeKey, 'POST', reports, report);
    expect([uploaded.status, uploaded.body]).toEqual([
      200,
      expect.objectContaining({ findings: expect.objectContaining({ new: 2 }) }),
    ]);
    const findings = await second.call(shop.readKey, 'GET', `/api/projects/${shop.projectId}/sast/findings`);
    expect(findings.body).toMatchObject({ total: 2 });
  });

  test('show what only a process beside the instance has written, as that of an upload', async () => {
    const [first, second] = [await pair.startInstance(patient), await pair.startInstance(patient)];
    const shop = await newShop(first);
    const beside = openShared(first.database.share());
    onTestFinished(() => beside.close());
    await pair.pauseReplay();
    await beside.tenant(shop.id, (tx) => tx.updateTable('projects').set({ name: 'market' }).execute());
    expect(await second.names(shop)).toEqual(['market']);
  });

  test('never keep a revoked key, an ended session or an old list of keys alive', async () => {
    const [first, second] = [await pair.startInstance(patient), await pair.startInstance(patient)];
    const shop = await newShop(first);
    expect((await second.call(shop.readKey, 'GET', '/api/projects')).status).toBe(200);
    await pair.pauseReplay();
    // By somebody whose writes nobody notes.
    await pair.primary.run(
      `update api_keys set name = 'renamed', revoked_at = case id when '${shop.readKeyId}' then now() end
        where organisation_id = '${shop.id}'`,
      pair.name,
    );
    for (const { call } of [first, second]) {
      expect((await call(shop.readKey, 'GET', '/api/projects')).status).toBe(401);
      const keys = listed.parse((await call(shop.admin.session, 'GET', '/api/org/api-keys')).body);
      expect(new Set(keys.items.map((key) => key.name))).toEqual(new Set(['renamed']));
    }
    await pair.primary.run(`delete from sessions where member_id = '${shop.member.id}'`, pair.name);
    for (const { call } of [first, second]) {
      expect((await call(shop.member.session, 'GET', '/api/projects')).status).toBe(401);
    }
  });

  test('stay at the standby where each leaves a row in the audit log', async () => {
    const instance = await pair.startInstance({ ...patient, auditReads: true });
    const shop = await newShop(instance);
    await pair.pauseReplay();
    const before = instance.database.replica()?.reads.replica ?? 0;
    for (let time = 0; time < 5; time += 1) expect(await instance.names(shop)).toEqual(['shop']);
    expect(instance.database.replica()?.reads.replica).toBe(before + 5);
  });

  test('take no turn of the primary', async () => {
    const { database } = await pair.open(patient);
    await isUsed(database);
    const over = new AbortController();
    const held = once(over.signal, 'abort');
    const lanes = ['background', 'health'] as const;
    const busy = Array.from({ length: 10 }, (_, at) => database.system(() => held, lanes[at % 2]));
    onTestFinished(() => over.abort());
    await eventually(() => expect(database.load()).toEqual({ running: 10, waiting: 0 }));
    const tenant = { organisationId: newId('org'), projectIds: null };
    const asked = sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`;
    const { rows } = await database.read(tenant, (tx) => asked.execute(tx), { maxWaitMs: 60_000, lastWrite: null });
    expect(rows).toEqual([{ standby: true }]);
    expect(database.load()).toEqual({ running: 10, waiting: 0 });
    over.abort();
    await Promise.all(busy);
  });

  test.runIf(noPgbouncer === undefined)('go through a pooler before the standby', async () => {
    const { database } = await pair.open({ ...patient, url: await startPgbouncer(pair.standby.url(pair.name)) });
    await isUsed(database);
    const asked = sql<{ standby: boolean }>`select pg_is_in_recovery() as standby, pg_sleep(0.001)::text`;
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const tenant = { organisationId: randomUUID(), projectIds: null };
          await database.read(tenant, (tx) => asked.execute(tx), { maxWaitMs: 60_000, lastWrite: null });
        }),
      );
    }
    expect(database.replica()?.reads).toMatchObject({ failed: 0, primary: 0 });
  });
});
