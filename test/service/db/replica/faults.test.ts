import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../../src/service/db/ids.js';
import { migrations } from '../../../../src/service/db/migrations/index.js';
import { kind, newDatabaseUrl } from '../../../support/database.js';
import { eventually } from '../../../support/eventually.js';
import { freePort } from '../../../support/free-port.js';
import type { TestOrganisation } from '../../../support/service.js';
import { noStandby } from '../../../support/standby.js';
import { type Instance, isUsed, newShop, type Pair, patient, startPair } from './pair.js';

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

describe.runIf(kind === 'postgres' && noStandby === undefined)('reads on a streaming standby', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
  });
  afterAll(() => pair?.close());

  test.each(['kill', 'freeze'] as const)(
    'fail for nobody where the standby goes away (%s), and return with it',
    async (way) => {
      const instance = await pair.startInstance();
      const shop = await newShop(instance);
      onTestFinished(() => (way === 'kill' ? pair.standby.kill().then(pair.standby.start) : pair.standby.resume()));
      const statuses = await readMeanwhile(instance, shop, async () => {
        await pair.standby[way]();
        await eventually(() => expect(instance.changes.at(-1)?.[0]).toBe('unreachable'));
        const before = instance.database.replica()?.reads.primary ?? 0;
        await eventually(() => expect(instance.database.replica()?.reads.primary).toBeGreaterThan(before + 20));
        if (way === 'kill') await pair.standby.start();
        else pair.standby.resume();
        await isUsed(instance.database);
        const reads = instance.database.replica()?.reads.replica ?? 0;
        await eventually(() => expect(instance.database.replica()?.reads.replica).toBeGreaterThan(reads + 20));
      });
      expect([...statuses]).toEqual([200]);
      // A dead one may be noticed before a read is sent to it.
      if (way === 'freeze') expect(instance.database.replica()?.reads.failed).toBeGreaterThan(0);
      expect(JSON.stringify(instance.changes)).not.toContain('secret-of-tests');
    },
  );

  test('fail for nobody where the standby cancels them for its recovery', async () => {
    const { database } = await pair.open(patient);
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
      const active = await pair.standby.run(
        `select from pg_stat_activity where query like '%pg_sleep(600)%' and state = 'active' and pid <> pg_backend_pid()`,
      );
      expect(active.length).toBeGreaterThan(0);
    });
    await pair.primary.run('begin; lock table projects in access exclusive mode; commit', pair.name);
    expect((await reading).rows).toHaveLength(1);
    expect(asked).toBeGreaterThan(1);
    await eventually(async () => {
      const [{ conflicts } = {}] = await pair.standby.run(
        `select confl_lock::int as conflicts from pg_stat_database_conflicts where datname = '${pair.name}'`,
      );
      expect(conflicts).toBeGreaterThan(0);
    });
  });

  test('go to the primary for a while after a write that could not be noted, which is no error of it', async () => {
    await pair.newDatabase();
    const instance = await pair.startInstance(patient);
    const shop = await newShop(instance);
    await pair.pauseReplay();
    await pair.primary.run(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
        create trigger refuse before insert or update on last_writes for each row execute function refuse()`,
      pair.name,
    );
    const made = await instance.call(shop.writeKey, 'POST', '/api/projects', { name: 'market' });
    expect(made.status).toBe(200);
    expect((await instance.names(shop)).sort()).toEqual(['market', 'shop']);
    expect(instance.database.replica()?.isUsed).toBe(false);
  });

  test('wait at the primary while the user of the standby may not be a tenant', async () => {
    await pair.primary.run('create role reader login; grant select on kysely_migration to reader', pair.name);
    await pair.caughtUp();
    const url = new URL(pair.standby.url(pair.name));
    url.username = 'reader';
    const { database, changes } = await pair.open({ url: url.href });
    expect(changes).toEqual([['no access', expect.stringContaining('GRANT postern_tenant')]]);
    await pair.primary.run('grant postern_tenant to reader');
    await isUsed(database);
  });

  test('are not held back by what was noted of another cluster’s log', async () => {
    const instance = await pair.startInstance();
    const shop = await newShop(instance);
    await pair.primary.run(
      `update last_writes set position = 'FFFFFFFF/0' where organisation_id = '${shop.id}'`,
      pair.name,
    );
    const next = await pair.startInstance();
    await eventually(async () => {
      const before = next.database.replica()?.reads.replica ?? 0;
      await next.names(shop);
      expect(next.database.replica()?.reads.replica).toBe(before + 1);
    });
  });

  test('wait at the primary until the standby has this version’s schema', async () => {
    await pair.newDatabase();
    const { database, changes } = await pair.open();
    await isUsed(database);
    const newest = Object.keys(migrations).at(-1);
    await pair.primary.run(`update kysely_migration set name = 'later' where name = '${newest}'`, pair.name);
    await eventually(() => expect(changes.at(-1)?.[0]).toBe('older schema'));
    expect(database.replica()?.isUsed).toBe(false);
    await pair.primary.run(`update kysely_migration set name = '${newest}' where name = 'later'`, pair.name);
    await isUsed(database);
  });

  test('of another cluster or database are refused at the start, in a sentence without the password', async () => {
    const others = [await newDatabaseUrl(), pair.primary.url('postgres'), pair.standby.url('postgres')];
    for (const url of others) {
      await expect(pair.open({ url })).rejects.toThrow(
        /^READ_DATABASE_URL is another database than DATABASE_URL: name a/,
      );
    }
  });

  test('begin at the primary where the standby is not there or is none', async () => {
    const away = await pair.open({ url: `postgres://u:secret-of-tests@127.0.0.1:${await freePort()}/d` });
    expect(away.changes).toEqual([['unreachable', expect.stringMatching(/^READ_DATABASE_URL: no PostgreSQL answers/)]]);
    const none = await pair.open({ url: pair.primary.url(pair.name) });
    expect(none.changes).toEqual([['not a standby', expect.stringContaining('READ_DATABASE_URL is no standby')]]);
    for (const { database, changes } of [away, none]) {
      const tenant = { organisationId: randomUUID(), projectIds: null };
      const asked = sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`;
      const { rows } = await database.read(tenant, (tx) => asked.execute(tx), { maxWaitMs: 60_000, lastWrite: null });
      expect(rows).toEqual([{ standby: false }]);
      expect(JSON.stringify(changes)).not.toContain('secret-of-tests');
    }
  });
});
