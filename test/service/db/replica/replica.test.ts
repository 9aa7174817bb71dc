import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import type { Database } from '../../../../src/service/db/database.js';
import { newId } from '../../../../src/service/db/ids.js';
import { migrations } from '../../../../src/service/db/migrations/index.js';
import { openDatabase, openShared } from '../../../../src/service/db/open.js';
import { textAt } from '../../../support/at.js';
import { kind, newDatabaseUrl } from '../../../support/database.js';
import { createDatabase } from '../../../support/database-template.js';
import { eventually } from '../../../support/eventually.js';
import { freePort } from '../../../support/free-port.js';
import { noPgbouncer, startPgbouncer } from '../../../support/pgbouncer.js';
import { startService, type TestOrganisation, type TestService } from '../../../support/service.js';
import { noStandby, startPrimary, startStandby, type TestCluster } from '../../../support/standby.js';
import { result, run, sarif } from '../../scanners/sarif/sarif-report.js';

if (kind === 'postgres' && noStandby !== undefined) console.warn(`reads on a standby are not tested: ${noStandby}`);

/** What is paused for a whole test is not too late. */
const patient = { maxLagMs: 3_600_000 };

const page = z.object({ items: z.array(z.looseObject({ name: z.string() })) });

describe.runIf(kind === 'postgres' && noStandby === undefined)('reads on a streaming standby', () => {
  let primary: TestCluster;
  let standby: TestCluster;
  let name: string;
  let made = 0;

  beforeAll(async () => {
    primary = await startPrimary();
    standby = await startStandby(primary);
    await newDatabase();
  });
  afterAll(async () => {
    await standby?.close();
    await primary?.close();
  });

  /** An empty database of the cluster, which is then on the standby too. */
  async function newDatabase(): Promise<void> {
    made += 1;
    name = `postern_${made}`;
    await createDatabase(primary.url('postgres'), name);
  }

  interface Instance extends TestService {
    readonly changes: (readonly [state: string, reason: string | null])[];
    readonly names: (organisation: TestOrganisation) => Promise<string[]>;
  }

  async function open(options: { maxLagMs?: number; url?: string } = {}) {
    const changes: [string, string | null][] = [];
    const replica = {
      url: standby.url(name),
      onChange: (...change: [string, string | null]) => changes.push(change),
      ...options,
    };
    const database = await openDatabase({ databaseUrl: primary.url(name), replica });
    onTestFinished(() => database.close());
    return { database, changes };
  }

  async function startInstance(options: { maxLagMs?: number; auditReads?: boolean } = {}): Promise<Instance> {
    const { auditReads = false, ...replica } = options;
    const { database, changes } = await open(replica);
    await isUsed(database);
    const service = await startService({ database, auditReads, jwtKey });
    onTestFinished(() => service.close());
    const names: Instance['names'] = async ({ readKey }) =>
      page.parse((await service.call(readKey, 'GET', '/api/projects')).body).items.map((project) => project.name);
    return { ...service, changes, names };
  }
  const jwtKey = Buffer.alloc(32, 7);

  const isUsed = (database: Database) => eventually(() => expect(database.replica()?.isUsed).toBe(true));

  /** It has all that the primary has. */
  async function caughtUp(): Promise<void> {
    const [{ at } = {}] = await primary.run('select pg_current_wal_insert_lsn()::text as at');
    await eventually(async () => {
      const [{ there } = {}] = await standby.run(`select pg_last_wal_replay_lsn() >= '${at}'::pg_lsn as there`);
      expect(there).toBe(true);
    });
  }

  async function pauseReplay(): Promise<void> {
    await caughtUp();
    await standby.run('select pg_wal_replay_pause()');
    onTestFinished(resumeReplay);
    await eventually(async () => {
      const [{ state } = {}] = await standby.run('select pg_get_wal_replay_pause_state() as state');
      expect(state).toBe('paused');
    });
  }
  const resumeReplay = async () => void (await standby.run('select pg_wal_replay_resume()'));

  /** An organisation with a project that the replica shows. */
  async function newShop({
    newOrganisation,
    call,
    database,
    names,
  }: Instance): Promise<TestOrganisation & { projectId: string }> {
    const organisation = await newOrganisation();
    const project = await call(organisation.writeKey, 'POST', '/api/projects', { name: 'shop' });
    await eventually(async () => {
      const before = database.replica()?.reads.replica ?? 0;
      expect(await names(organisation)).toEqual(['shop']);
      expect(database.replica()?.reads.replica).toBeGreaterThan(before);
    });
    return { ...organisation, projectId: textAt(project.body, 'id') };
  }

  /** Nobody of Postern writes this, so nobody notes it. */
  const rename = (projectId: string, to: string) =>
    primary.run(`update projects set name = '${to}' where id = '${projectId}'`, name);

  test('are answered by the standby, by its row-level security', async () => {
    const { database } = await open();
    await isUsed(database);
    const ids = [newId('org'), newId('org'), newId('org')];
    for (const id of ids) {
      await database.system((tx) => tx.insertInto('organisations').values({ id, name: 'n', plan: 'Free' }).execute());
    }
    await caughtUp();
    const seen = sql<{ standby: boolean; role: string; rows: string[] }>`select pg_is_in_recovery() as standby,
      current_user::text as role, (select coalesce(array_agg(id), '{}') from organisations) as rows`;
    await Promise.all(
      Array.from({ length: 60 }, async (_, number) => {
        const organisationId = ids[number % ids.length] ?? '';
        const tenant = { organisationId, projectIds: null };
        const { rows } = await database.read(tenant, (tx) => seen.execute(tx), { maxWaitMs: 60_000, lastWrite: null });
        expect(rows).toEqual([{ standby: true, role: 'postern_tenant', rows: [organisationId] }]);
        // Whoever must have the newest asks the primary.
        const newest = await database.read(tenant, (tx) => seen.execute(tx), { maxWaitMs: 60_000 });
        expect(newest.rows).toEqual([{ standby: false, role: 'postern_tenant', rows: [organisationId] }]);
      }),
    );
    expect(database.replica()?.reads).toEqual({ replica: 60, primary: 60, failed: 0 });
  });

  test('may be late, but never by more than the limit', async () => {
    const [late, usual] = [await startInstance(patient), await startInstance()];
    const shop = await newShop(late);
    await newShop(usual);
    await pauseReplay();
    await rename(shop.projectId, 'market');
    expect(await late.names(shop)).toEqual(['shop']);
    await eventually(async () => expect(await usual.names(shop)).toEqual(['market']));
    expect(usual.database.replica()?.isUsed).toBe(false);
    await eventually(() => expect(usual.changes.at(-1)).toEqual(['behind', expect.stringContaining('2000 ms behind')]));
    expect(await late.names(shop)).toEqual(['shop']);
    await resumeReplay();
    await eventually(async () => expect(await late.names(shop)).toEqual(['market']));
    await isUsed(usual.database);
    await eventually(() => expect(usual.changes.at(-1)).toEqual(['used', null]));
  });

  test('show an organisation its own writes at once, whatever instance made them', async () => {
    const [first, second] = [await startInstance(patient), await startInstance(patient)];
    const [shop, other] = [await newShop(first), await newShop(second)];
    await pauseReplay();
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
    const [first, second] = [await startInstance(patient), await startInstance(patient)];
    const shop = await newShop(first);
    const report = JSON.stringify({
      ...sarif(run([result(1), result(2)])),
      properties: { padding: 'x'.repeat(300 * 1024) },
    });
    await pauseReplay();
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
    const [first, second] = [await startInstance(patient), await startInstance(patient)];
    const shop = await newShop(first);
    const beside = openShared(first.database.share());
    onTestFinished(() => beside.close());
    await pauseReplay();
    await beside.tenant(shop.id, (tx) => tx.updateTable('projects').set({ name: 'market' }).execute());
    expect(await second.names(shop)).toEqual(['market']);
  });

  test('never keep a revoked key, an ended session or an old list of keys alive', async () => {
    const [first, second] = [await startInstance(patient), await startInstance(patient)];
    const shop = await newShop(first);
    expect((await second.call(shop.readKey, 'GET', '/api/projects')).status).toBe(200);
    await pauseReplay();
    // By somebody whose writes nobody notes.
    await primary.run(
      `update api_keys set name = 'renamed', revoked_at = case id when '${shop.readKeyId}' then now() end
        where organisation_id = '${shop.id}'`,
      name,
    );
    for (const { call } of [first, second]) {
      expect((await call(shop.readKey, 'GET', '/api/projects')).status).toBe(401);
      const keys = page.parse((await call(shop.admin.session, 'GET', '/api/org/api-keys')).body);
      expect(new Set(keys.items.map((key) => key.name))).toEqual(new Set(['renamed']));
    }
    await primary.run(`delete from sessions where member_id = '${shop.member.id}'`, name);
    for (const { call } of [first, second]) {
      expect((await call(shop.member.session, 'GET', '/api/projects')).status).toBe(401);
    }
  });

  test('stay at the standby where each leaves a row in the audit log', async () => {
    const instance = await startInstance({ ...patient, auditReads: true });
    const shop = await newShop(instance);
    await pauseReplay();
    const before = instance.database.replica()?.reads.replica ?? 0;
    for (let time = 0; time < 5; time += 1) expect(await instance.names(shop)).toEqual(['shop']);
    expect(instance.database.replica()?.reads.replica).toBe(before + 5);
  });

  /** Reads as long as the work takes. Answers the statuses. */
  async function readMeanwhile(
    instance: Instance,
    shop: TestOrganisation,
    work: () => Promise<void>,
  ): Promise<Set<number>> {
    const statuses = new Set<number>();
    let ended = false;
    const readers = Array.from({ length: 8 }, async () => {
      do statuses.add((await instance.call(shop.readKey, 'GET', '/api/projects')).status);
      while (!ended);
    });
    await work().finally(() => {
      ended = true;
    });
    await Promise.all(readers);
    return statuses;
  }

  test.each(['kill', 'freeze'] as const)(
    'fail for nobody where the standby goes away (%s), and return with it',
    async (way) => {
      const instance = await startInstance();
      const shop = await newShop(instance);
      onTestFinished(() => (way === 'kill' ? standby.kill().then(standby.start) : standby.resume()));
      const statuses = await readMeanwhile(instance, shop, async () => {
        await standby[way]();
        await eventually(() => expect(instance.changes.at(-1)?.[0]).toBe('unreachable'));
        const before = instance.database.replica()?.reads.primary ?? 0;
        await eventually(() => expect(instance.database.replica()?.reads.primary).toBeGreaterThan(before + 20));
        if (way === 'kill') await standby.start();
        else standby.resume();
        await isUsed(instance.database);
        const reads = instance.database.replica()?.reads.replica ?? 0;
        await eventually(() => expect(instance.database.replica()?.reads.replica).toBeGreaterThan(reads + 20));
      });
      expect([...statuses]).toEqual([200]);
      expect(instance.database.replica()?.reads.failed).toBeGreaterThan(0);
      expect(JSON.stringify(instance.changes)).not.toContain('secret-of-tests');
    },
  );

  test('fail for nobody where the standby cancels them for its recovery', async () => {
    const { database } = await open(patient);
    await isUsed(database);
    const tenant = { organisationId: newId('org'), projectIds: null };
    let asked = 0;
    const reading = database.read(
      tenant,
      (tx) => {
        asked += 1;
        const wait = asked === 1 ? sql`pg_sleep(600)` : sql`pg_sleep(0)`;
        return sql`select count(*), ${wait}::text from projects`.execute(tx);
      },
      { maxWaitMs: 60_000, lastWrite: null },
    );
    await eventually(async () => {
      const active = await standby.run(
        `select from pg_stat_activity where query like '%pg_sleep(600)%' and state = 'active' and pid <> pg_backend_pid()`,
      );
      expect(active.length).toBeGreaterThan(0);
    });
    await primary.run('begin; lock table projects in access exclusive mode; commit', name);
    expect((await reading).rows).toHaveLength(1);
    expect(asked).toBeGreaterThan(1);
    await eventually(async () => {
      const [{ conflicts } = {}] = await standby.run(
        `select confl_lock::int as conflicts from pg_stat_database_conflicts where datname = '${name}'`,
      );
      expect(conflicts).toBeGreaterThan(0);
    });
  });

  test('take no turn of the primary', async () => {
    const { database } = await open();
    await isUsed(database);
    const over = new AbortController();
    const held = once(over.signal, 'abort');
    const busy = Array.from({ length: 10 }, () => database.system(() => held));
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

  test('wait at the primary while the user of the standby may not be a tenant', async () => {
    await primary.run('create role reader login; grant select on kysely_migration to reader', name);
    await caughtUp();
    const url = new URL(standby.url(name));
    url.username = 'reader';
    const { database, changes } = await open({ url: url.href });
    expect(changes).toEqual([['no access', expect.stringContaining('GRANT postern_tenant')]]);
    await primary.run('grant postern_tenant to reader');
    await isUsed(database);
  });

  test('are not held back by what was noted of another cluster’s log', async () => {
    const instance = await startInstance();
    const shop = await newShop(instance);
    await primary.run(`update last_writes set position = 'FFFFFFFF/0' where organisation_id = '${shop.id}'`, name);
    const next = await startInstance();
    await eventually(async () => {
      const before = next.database.replica()?.reads.replica ?? 0;
      await next.names(shop);
      expect(next.database.replica()?.reads.replica).toBe(before + 1);
    });
  });

  test('wait at the primary until the standby has this version’s schema', async () => {
    await newDatabase();
    const { database, changes } = await open();
    await isUsed(database);
    const newest = Object.keys(migrations).at(-1);
    await primary.run(`update kysely_migration set name = 'later' where name = '${newest}'`, name);
    await eventually(() => expect(changes.at(-1)?.[0]).toBe('older schema'));
    expect(database.replica()?.isUsed).toBe(false);
    await primary.run(`update kysely_migration set name = '${newest}' where name = 'later'`, name);
    await isUsed(database);
  });

  test('of another cluster or database are refused at the start, in a sentence without the password', async () => {
    const others = [await newDatabaseUrl(), primary.url('postgres'), standby.url('postgres')];
    for (const url of others) {
      await expect(open({ url })).rejects.toThrow(/^READ_DATABASE_URL is another database than DATABASE_URL: name a/);
    }
  });

  test('begin at the primary where the standby is not there or is none', async () => {
    const away = await open({ url: `postgres://u:secret-of-tests@127.0.0.1:${await freePort()}/d` });
    expect(away.changes).toEqual([['unreachable', expect.stringMatching(/^READ_DATABASE_URL: no PostgreSQL answers/)]]);
    const none = await open({ url: primary.url(name) });
    expect(none.changes).toEqual([['not a standby', expect.stringContaining('READ_DATABASE_URL is no standby')]]);
    for (const { database, changes } of [away, none]) {
      const tenant = { organisationId: randomUUID(), projectIds: null };
      const asked = sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`;
      const { rows } = await database.read(tenant, (tx) => asked.execute(tx), { maxWaitMs: 60_000, lastWrite: null });
      expect(rows).toEqual([{ standby: false }]);
      expect(JSON.stringify(changes)).not.toContain('secret-of-tests');
    }
  });

  test.runIf(noPgbouncer === undefined)('go through a pooler before the standby', async () => {
    const { database } = await open({ url: await startPgbouncer(standby.url(name)) });
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
