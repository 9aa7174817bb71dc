import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { emptyFolder, startPosternProgram } from '../../../bin/running-postern.js';
import { kind } from '../../../support/database.js';
import { createDatabase } from '../../../support/database-template.js';
import { eventually } from '../../../support/eventually.js';
import { freePort } from '../../../support/free-port.js';
import { callerOf } from '../../../support/service.js';
import { noStandby, startPrimary, startStandby, type TestCluster } from '../../../support/standby.js';

const firstRun = z.object({ keys: z.object({ read_only: z.string() }) });

describe.runIf(kind === 'postgres' && noStandby === undefined)('the program with READ_DATABASE_URL', () => {
  let primary: TestCluster;
  let standby: TestCluster;
  let settings: Record<string, string>;

  beforeAll(async () => {
    primary = await startPrimary();
    standby = await startStandby(primary);
    await createDatabase(primary.url('postgres'), 'postern');
    settings = { DATABASE_URL: primary.url('postern'), READ_DATABASE_URL: standby.url('postern') };
  });
  afterAll(async () => {
    await standby?.close();
    await primary?.close();
  });

  async function diagnose(env: Record<string, string>): Promise<string> {
    const doctor = startPosternProgram({ DATA_DIR: await emptyFolder(), ...env }, 'doctor');
    await doctor.ended;
    expect(doctor.stdout()).not.toContain('secret-of-tests');
    return doctor.stdout().replaceAll(/ +/g, ' ');
  }

  test('counts where reads went, stays ready without the standby, and stops cleanly', async () => {
    const [DATA_DIR, port] = [await emptyFolder(), await freePort()];
    const postern = startPosternProgram({ ...settings, DATA_DIR, METRICS_PORT: String(port), LOG_LEVEL: 'info' });
    const url = await postern.ready();
    const { keys } = firstRun.parse(JSON.parse(await readFile(path.join(DATA_DIR, 'first-run.json'), 'utf8')));
    const read = async () => (await callerOf(url)(keys.read_only, 'GET', '/api/projects')).status;
    const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await eventually(async () => {
      expect(await read()).toBe(200);
      expect(await metrics()).toMatch(/^postern_reads_total\{at="replica"} [1-9]/m);
    });
    expect(await metrics()).toMatch(/^postern_replica_used 1$/m);
    expect(await metrics()).toMatch(/^postern_replica_lag_seconds \d/m);

    onTestFinished(() => standby.kill().then(standby.start));
    await standby.kill();
    await eventually(async () => expect(await metrics()).toMatch(/^postern_replica_used 0$/m));
    expect(await read()).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await metrics()).toMatch(/^postern_reads_total\{at="primary"} [1-9]/m);
    await eventually(() => expect(postern.stdout()).toContain('all reads go to the primary'));
    await standby.start();
    await eventually(async () => expect(await metrics()).toMatch(/^postern_replica_used 1$/m));
    expect(postern.stdout()).toContain('reads that may be late go to the replica');
    expect(postern.stdout() + postern.stderr()).not.toContain('secret-of-tests');
    postern.kill('SIGTERM');
    expect(await postern.ended).toBe(0);
  });

  test('has a doctor that looks at the standby', async () => {
    const { DATABASE_URL = '', READ_DATABASE_URL = '' } = settings;
    const postern = startPosternProgram({ ...settings, DATA_DIR: await emptyFolder() });
    await postern.ready();
    expect(await diagnose(settings)).toMatch(
      /^ok replica it is a standby of the same cluster .* at most \d+ ms behind$/m,
    );
    expect(await diagnose({ DATABASE_URL, READ_DATABASE_URL: standby.url('postgres') })).toMatch(
      /^error replica READ_DATABASE_URL is another database/m,
    );
    expect(await diagnose({ DATABASE_URL, READ_DATABASE_URL: DATABASE_URL })).toMatch(
      /^warning replica READ_DATABASE_URL is no standby/m,
    );
    const away = `postgres://u:secret-of-tests@127.0.0.1:${await freePort()}/d`;
    expect(await diagnose({ DATABASE_URL, READ_DATABASE_URL: away })).toMatch(
      /^warning replica READ_DATABASE_URL: no PostgreSQL answers there.*; all reads go to the primary$/m,
    );
    expect(await diagnose({ DATABASE_URL: away, READ_DATABASE_URL })).toMatch(
      /^warning replica nothing is known of it/m,
    );
    await standby.run('select pg_wal_replay_pause()');
    await primary.run('create table later ()', 'postern');
    expect(await diagnose(settings)).toMatch(/^warning replica it is \d+ bytes behind and more than 2000 ms/m);
    await standby.run('select pg_wal_replay_resume()');
  });
});

test('READ_DATABASE_URL without DATABASE_URL is refused in a sentence', async () => {
  const READ_DATABASE_URL = 'postgres://u:secret-of-tests@127.0.0.1:1/d';
  const postern = startPosternProgram({ DATA_DIR: await emptyFolder(), READ_DATABASE_URL });
  expect(await postern.ended).toBe(2);
  expect(postern.stderr()).toContain('READ_DATABASE_URL needs DATABASE_URL, the primary that it is a standby of');
  expect(postern.stderr()).not.toContain('secret-of-tests');
});
