import { describe, expect, test } from 'vitest';
import { createSignInThrottle } from '../../../src/service/auth/sign-in-throttle.js';
import { ApiError } from '../../../src/service/http/api-error.js';
import { networkOf, siteOf } from '../../../src/shared/limits/network.js';

const noon = Date.parse('2026-05-01T12:00:00Z');
const atSecond = (seconds: number) => new Date(noon + seconds * 1000);
const unknown = async () => false;
const known = async () => true;

interface Tried {
  readonly email?: string;
  readonly network?: string;
  readonly second?: number;
  readonly isKnown?: () => Promise<boolean>;
}

function newThrottle() {
  const throttle = createSignInThrottle();
  const begin = ({ email = 'a@example.com', network = '192.0.2.1', second = 0, isKnown = unknown }: Tried = {}) =>
    throttle.begin({ email, network }, atSecond(second), isKnown);
  return {
    begin,
    /** How an attempt is refused; undefined where it is not. */
    refusalOf: (tried?: Tried) =>
      begin(tried).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof ApiError) return error;
          throw error;
        },
      ),
  };
}

async function failing(times: number, tried: (attempt: number) => Tried) {
  const throttle = newThrottle();
  for (let attempt = 0; attempt < times; attempt += 1) await throttle.begin(tried(attempt));
  return throttle;
}

describe('the sign-in throttle', () => {
  test('lets ten attempts pass and says to the eleventh when to come back', async () => {
    const { refusalOf } = await failing(10, (second) => ({ second }));
    const refusal = await refusalOf({ second: 10 });
    expect(refusal?.code).toBe('rate_limited');
    expect(refusal?.details.retryAfterSeconds).toBe(15 * 60 - 10);
  });

  test('lets one pass again when the first has grown 15 minutes old, and not a moment earlier', async () => {
    const { refusalOf } = await failing(10, (second) => ({ second }));
    expect((await refusalOf({ second: 15 * 60 - 1 }))?.code).toBe('rate_limited');
    expect(await refusalOf({ second: 15 * 60 })).toBeUndefined();
    expect((await refusalOf({ second: 15 * 60 }))?.code).toBe('rate_limited');
  });

  test('counts each email and each address by itself', async () => {
    const { refusalOf } = await failing(10, () => ({}));
    expect(await refusalOf({ email: 'b@example.com' })).toBeUndefined();
    expect(await refusalOf({ network: '192.0.2.2' })).toBeUndefined();
  });

  test('stops an address that tries one password with many accounts', async () => {
    const { refusalOf } = await failing(30, (attempt) => ({ email: `${attempt}@example.com` }));
    expect((await refusalOf({ email: 'next@example.com' }))?.code).toBe('rate_limited');
    expect(await refusalOf({ email: 'next@example.com', network: '192.0.2.2' })).toBeUndefined();
  });

  test('stops many addresses that try one account, but not where its member has signed in before', async () => {
    const { refusalOf } = await failing(20, (attempt) => ({ network: `198.51.100.${attempt}` }));
    expect((await refusalOf({ network: '203.0.113.1' }))?.code).toBe('rate_limited');
    expect(await refusalOf({ network: '203.0.113.1', isKnown: known })).toBeUndefined();
  });

  test('asks of few tries at once whether they are a known member’s, and tells the others to come again', async () => {
    const { begin } = await failing(30, (attempt) => ({ email: `${attempt}@example.com` }));
    const asked: ((known: boolean) => void)[] = [];
    const isKnown = () => new Promise<boolean>((answer) => asked.push(answer));
    const crowd = Array.from({ length: 100 }, (_, n) => begin({ email: `other-${n}@example.com`, isKnown }));
    const elsewhere = begin({ email: '0@example.com', network: '192.0.2.2' });
    const results = Promise.allSettled(crowd);
    await elsewhere;
    expect(asked).toHaveLength(16);
    for (const answer of asked) answer(true);
    const refused = (await results).flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(84);
    for (const refusal of refused) expect(refusal).toMatchObject({ refusal: 'rate_limited', retryAfterSeconds: 1 });
    await begin({ isKnown: known });
  });

  test('lets nobody guess without end from a known address either', async () => {
    const { begin, refusalOf } = await failing(20, (attempt) => ({ network: `198.51.100.${attempt}` }));
    for (let attempt = 0; attempt < 10; attempt += 1) await begin({ isKnown: known });
    expect((await refusalOf({ isKnown: known }))?.code).toBe('rate_limited');
    const atOnce = Array.from({ length: 15 }, () => refusalOf({ network: '203.0.113.1', isKnown: known }));
    expect((await Promise.all(atOnce)).filter((refusal) => refusal === undefined)).toHaveLength(10);
  });

  test('stops a crowd that shares accounts and addresses out', async () => {
    const { refusalOf } = await failing(1_000, (attempt) => ({
      email: `${attempt}@example.com`,
      network: `10.${attempt >> 8}.${attempt & 255}.1`,
    }));
    expect((await refusalOf({ email: 'x@example.com', network: '203.0.113.1' }))?.code).toBe('rate_limited');
    expect(await refusalOf({ email: 'x@example.com', network: '203.0.113.1', isKnown: known })).toBeUndefined();
  });

  test.each([
    { site: 'an IPv6 /48', inside: (n: number) => `2001:db8:7:${n.toString(16)}::/64`, elsewhere: '2001:db8:8:1::/64' },
    { site: 'an IPv4 /24', inside: (n: number) => `198.51.100.${n % 256}`, elsewhere: '198.51.101.1' },
  ])('stops $site that shares its addresses out, before it stops all others', async ({ inside, elsewhere }) => {
    const { begin, refusalOf } = newThrottle();
    const refused = [];
    for (let n = 0; n < 2_000; n += 1) {
      const refusal = await refusalOf({ email: `${n}@example.com`, network: inside(n), second: n % 600 });
      if (refusal !== undefined) refused.push(refusal.code);
    }
    expect(refused).toEqual(Array(1_900).fill('rate_limited'));
    const late = { second: 600, email: 'late@example.com' };
    expect((await refusalOf({ ...late, network: inside(3_000) }))?.code).toBe('rate_limited');
    expect(await refusalOf({ ...late, network: inside(3_001), isKnown: known })).toBeUndefined();
    (await begin({ ...late, network: elsewhere })).succeed();
  });

  test('forgets the failures of who then signs in, and counts no success', async () => {
    const { begin, refusalOf } = await failing(9, () => ({}));
    const attempt = await begin();
    attempt.succeed();
    for (let again = 0; again < 10; again += 1) expect(await refusalOf()).toBeUndefined();
    expect((await refusalOf())?.code).toBe('rate_limited');
    const busy = newThrottle();
    for (let success = 0; success < 50; success += 1) (await busy.begin()).succeed();
    expect(await busy.refusalOf()).toBeUndefined();
  });

  test('says beyond the limits that only known accounts count, and gives strangers no try more for their success', async () => {
    const { begin, refusalOf } = await failing(19, (attempt) => ({ network: `198.51.100.${attempt}` }));
    expect((await begin({ network: '203.0.113.1', isKnown: known })).onlyKnown).toBe(false);
    for (let success = 0; success < 3; success += 1) {
      const attempt = await begin({ network: '203.0.113.1', isKnown: known });
      expect(attempt.onlyKnown).toBe(true);
      attempt.succeed();
      expect((await refusalOf({ network: '203.0.113.2' }))?.code).toBe('rate_limited');
    }
  });

  test('takes back what was not looked at', async () => {
    const { begin, refusalOf } = newThrottle();
    for (let attempt = 0; attempt < 50; attempt += 1) (await begin()).withdraw();
    expect(await refusalOf()).toBeUndefined();
  });
});

test('what counts as one site: the /24 of an IPv4 address, the /48 of an IPv6 address', () => {
  const siteAt = (address: string | null) => siteOf(networkOf(address));
  expect(siteAt('192.0.2.7')).toBe('192.0.2.0/24');
  expect(siteAt('::ffff:192.0.2.7')).toBe('192.0.2.0/24');
  expect(siteAt('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1::/48');
  expect(siteAt('2001:db8:1:ffff::9')).toBe(siteAt('2001:db8:1::'));
  expect(siteAt('2001:db8:2::9')).not.toBe(siteAt('2001:db8:1::9'));
  expect(siteAt('::1')).toBe('0:0:0::/48');
  expect(siteAt(null)).toBe('unknown');
});
