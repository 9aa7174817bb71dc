import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkRedis, judgeRedis } from '../../src/bin/doctor/check-redis.js';
import { freePort } from '../support/free-port.js';
import { noRedis, startRedis, type TestRedis } from '../support/redis.js';
import { emptyFolder, startPosternProgram } from './running-postern.js';

describe.skipIf(noRedis !== undefined)(`postern doctor and Redis (${noRedis ?? 'redis-server'})`, () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.close());

  /** The server's address with a user and a password. */
  const as = (user: string, password: string) => redis.url.replace('//', `//${user}:${password}@`);

  test('names its version, in the whole command too', async () => {
    expect(await checkRedis(redis.url)).toEqual({
      ...{ check: 'redis', level: 'ok', message: expect.stringMatching(/^Redis \d+\.\d+\.\d+ answers$/) },
    });
    const env = { DATA_DIR: await emptyFolder(), REDIS_URL: redis.url };
    const doctor = startPosternProgram(env, 'doctor');
    expect(await doctor.ended).toBe(0);
    expect(doctor.stdout()).toMatch(/^ok +redis +Redis \d/m);
    expect((await startedWithout()).stdout()).not.toContain('redis');
  });

  async function startedWithout() {
    const doctor = startPosternProgram({ DATA_DIR: await emptyFolder() }, 'doctor');
    await doctor.ended;
    return doctor;
  }

  test('says that the password is refused, or that the user may not ask, and never prints either', async () => {
    const admin = createClient({ url: redis.url });
    await admin.connect();
    await admin.sendCommand(['ACL', 'SETUSER', 'counter', 'on', '>hunter2', '~*', '+eval', '+client', '+hello']);
    await admin.close();
    const refused = await checkRedis(as('counter', 'hunter3'));
    expect(refused).toEqual({
      ...{ check: 'redis', level: 'error', message: 'REDIS_URL: it refuses the user or password' },
    });
    expect(await checkRedis(as('counter', 'hunter2'))).toMatchObject({
      ...{ level: 'warning', message: 'REDIS_URL: it answers, but its user may not ask its version' },
    });
    const doctor = startPosternProgram(
      { DATA_DIR: await emptyFolder(), REDIS_URL: as('counter', 'hunter3') },
      'doctor',
    );
    expect(await doctor.ended).toBe(1);
    expect(doctor.stdout() + doctor.stderr()).not.toMatch(/hunter|counter/);
  });

  test('says that one which hangs does not answer', async () => {
    redis.freeze();
    try {
      const hanging = await checkRedis(redis.url);
      expect(hanging).toMatchObject({ level: 'error', message: expect.stringContaining('no Redis answers there') });
    } finally {
      redis.resume();
    }
  });
});

test('where nobody listens there is no Redis', async () => {
  const found = await checkRedis(`redis://u:hunter2@127.0.0.1:${await freePort()}`);
  expect(found).toEqual({
    ...{ check: 'redis', level: 'error' },
    message: 'REDIS_URL: no Redis answers there (ECONNREFUSED); each instance counts alone',
  });
});

test('an old version is a warning, and so is none', () => {
  expect(judgeRedis('# Server\r\nredis_version:6.2.14\r\n')).toMatchObject({
    ...{ level: 'warning', message: 'REDIS_URL: Redis 6.2.14 answers, and only 7 and newer were tried' },
  });
  expect(judgeRedis('# Server\r\n').level).toBe('warning');
});
