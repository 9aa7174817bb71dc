import { describe, expect, test } from 'vitest';
import { createSignInThrottle } from '../../../src/service/auth/sign-in-throttle.js';
import { ApiError } from '../../../src/service/http/api-error.js';

const noon = Date.parse('2026-05-01T12:00:00Z');
const atSecond = (seconds: number) => new Date(noon + seconds * 1000);

function failing(times: number, throttle = createSignInThrottle()) {
  for (let second = 0; second < times; second += 1) throttle.begin('a@example.com', '192.0.2.1', atSecond(second));
  return throttle;
}

function refusalOf(work: () => void): ApiError | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return undefined;
}

describe('the sign-in throttle', () => {
  test('lets ten attempts pass and says to the eleventh when to come back', () => {
    const refusal = refusalOf(() => failing(11));
    expect(refusal?.code).toBe('rate_limited');
    expect(refusal?.details.retryAfterSeconds).toBe(15 * 60 - 10);
  });

  test('lets one pass again when the first has grown 15 minutes old, and not a moment earlier', () => {
    const throttle = failing(10);
    expect(refusalOf(() => throttle.begin('a@example.com', '192.0.2.1', atSecond(15 * 60 - 1)))?.code).toBe(
      'rate_limited',
    );
    expect(refusalOf(() => throttle.begin('a@example.com', '192.0.2.1', atSecond(15 * 60)))).toBeUndefined();
    expect(refusalOf(() => throttle.begin('a@example.com', '192.0.2.1', atSecond(15 * 60)))?.code).toBe('rate_limited');
  });

  test('counts each email and each address by itself', () => {
    const throttle = failing(10);
    expect(refusalOf(() => throttle.begin('b@example.com', '192.0.2.1', atSecond(11)))).toBeUndefined();
    expect(refusalOf(() => throttle.begin('a@example.com', '192.0.2.2', atSecond(11)))).toBeUndefined();
  });

  test('forgets the failures of who then signs in', () => {
    const throttle = failing(9);
    throttle.begin('a@example.com', '192.0.2.1', atSecond(9));
    throttle.succeed('a@example.com', '192.0.2.1');
    expect(refusalOf(() => failing(10, throttle))).toBeUndefined();
  });

  test('remembers at most 10,000 pairs, and forgets the longest untouched', () => {
    const throttle = failing(10);
    for (let other = 0; other < 9_999; other += 1) throttle.begin(`${other}@example.com`, '192.0.2.1', atSecond(20));
    expect(refusalOf(() => throttle.begin('a@example.com', '192.0.2.1', atSecond(21)))?.code).toBe('rate_limited');
    throttle.begin('one-more@example.com', '192.0.2.1', atSecond(22));
    expect(refusalOf(() => throttle.begin('a@example.com', '192.0.2.1', atSecond(23)))).toBeUndefined();
  });
});
