import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { RateLimit, type RateLimitOptions } from '../../../src/shared/limits/rate-limit.js';
import { Refusal } from '../../../src/shared/limits/refusal.js';
import { openSharedCounters, type SharedCounters } from '../../../src/shared/limits/shared-counters.js';
import { eventually } from '../../support/eventually.js';
import { noRedis, startRedis, type TestRedis } from '../../support/redis.js';

/** A limit whose window does not end while a test runs. */
function limitOf(options: Partial<RateLimitOptions> = {}): RateLimit {
  return new RateLimit({
    policy: 'credential',
    of: 'one credential',
    quota: 3,
    windowSeconds: 600,
    counters: null,
    ...options,
  });
}

const refusalOf = (calls: Promise<unknown>) => calls.then(() => null).catch((error: unknown) => error);

describe('a limit on the rate of calls', () => {
  test('counts the calls of each key, and says what is left', async () => {
    const limit = limitOf();
    await limit.take('a');
    expect(await limit.take('a')).toMatchObject({ policy: 'credential', quota: 3, windowSeconds: 600, remaining: 1 });
    expect(await limit.take('b')).toMatchObject({ remaining: 2 });
  });

  test('refuses the call that passes the quota, and says when to come back', async () => {
    const limit = limitOf();
    await limit.take('a', 3);
    const refusal = await refusalOf(limit.take('a'));
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({
      refusal: 'rate_limited',
      message: 'more than 3 calls in 600 s by one credential',
      standing: { policy: 'credential', remaining: 0 },
    });
    expect(refusal).toHaveProperty(
      'retryAfterSeconds',
      expect.toSatisfy((seconds) => seconds > 500 && seconds <= 600),
    );
  });

  test('counts a batch as its calls', async () => {
    expect(await refusalOf(limitOf().take('a', 4))).toBeInstanceOf(Refusal);
  });

  test('a check counts nothing', async () => {
    const limit = limitOf({ quota: 1 });
    expect(await limit.check('a')).toMatchObject({ remaining: 1, resetSeconds: 0 });
    await limit.check('a');
    await limit.take('a');
    expect(await refusalOf(limit.check('a'))).toMatchObject({ refusal: 'rate_limited' });
  });

  test('ends with its window', async () => {
    const limit = limitOf({ quota: 1, windowSeconds: 1 });
    await limit.take('a');
    await eventually(() => limit.take('a'));
  });
});

describe.skipIf(noRedis !== undefined)(`counts in Redis (${noRedis ?? 'redis-server'})`, () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.close());

  async function connected(url = redis.url): Promise<SharedCounters & { readonly reports: string[] }> {
    const reports: string[] = [];
    const counters = await openSharedCounters(url, (kind) => reports.push(kind));
    onTestFinished(() => counters.close());
    return { ...counters, reports };
  }

  const ready = (counters: SharedCounters) => eventually(() => expect(counters.client.isReady).toBe(true));

  test('are shared by all instances', async () => {
    const instances = await Promise.all([connected(), connected()]);
    await Promise.all(instances.map(ready));
    const [one, other] = instances.map((counters) => limitOf({ policy: 'shared', counters }));
    await one?.take('a', 2);
    expect(await other?.take('a')).toMatchObject({ remaining: 0 });
    expect(await refusalOf(Promise.resolve(one?.take('a')))).toMatchObject({ refusal: 'rate_limited' });
    expect(await refusalOf(Promise.resolve(other?.check('a')))).toMatchObject({ refusal: 'rate_limited' });
  });

  test('each instance counts alone while there is no Redis, and nobody is refused because of it', async () => {
    const counters = await connected('redis://:secret@127.0.0.1:1');
    const limit = limitOf({ counters });
    expect(await limit.take('a')).toMatchObject({ remaining: 2 });
    expect(await limit.take('a', 2)).toMatchObject({ remaining: 0 });
    expect(await refusalOf(limit.take('a'))).toMatchObject({ refusal: 'rate_limited' });
    await eventually(() => expect(counters.reports).toHaveLength(1));
    expect(counters.reports.join()).not.toContain('secret');
  });

  test('each instance counts alone while Redis does not answer', async () => {
    const counters = await connected();
    await ready(counters);
    const limit = limitOf({ policy: 'frozen', counters });
    redis.freeze();
    try {
      expect(await limit.take('a')).toMatchObject({ remaining: 2 });
    } finally {
      redis.resume();
    }
  });

  test('are used again when Redis is back', async () => {
    const counters = await connected();
    await ready(counters);
    const limit = limitOf({ policy: 'restarted', counters });
    await limit.take('a');
    await redis.stop();
    expect(await limit.take('a', 2)).toMatchObject({ remaining: 1 });
    await redis.start();
    await ready(counters);
    expect(await limit.take('a')).toMatchObject({ remaining: 2 });
    const keys = await counters.client.eval('return redis.call("KEYS", "postern:restarted:*")', { keys: [] });
    expect(keys).toEqual(['postern:restarted:a']);
  });
});
