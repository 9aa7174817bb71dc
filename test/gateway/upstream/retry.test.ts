import { describe, expect, test } from 'vitest';
import type { UpstreamOutcome } from '../../../src/gateway/upstream/outcome.js';
import { RetryBudget, retryDelayMs } from '../../../src/gateway/upstream/retry.js';

const answered = (status: number, retryAfterSeconds: number | null = null): UpstreamOutcome => ({
  kind: 'answered',
  status,
  body: undefined,
  retryAfterSeconds,
});
const delay = (outcome: UpstreamOutcome, rest: Partial<Parameters<typeof retryDelayMs>[0]> = {}) =>
  retryDelayMs({ method: 'GET', outcome, tries: 1, remainingMs: 10_000, random: 0.5, ...rest });

describe('another try', () => {
  test.each([
    ['a connection that was not made', { kind: 'unreachable', code: 'ECONNREFUSED' }, 25],
    ['one that broke', { kind: 'broken', code: null }, 25],
    ['502', answered(502), 25],
    ['503', answered(503), 25],
    ['504', answered(504), 25],
    ['503 that asks for a second', answered(503, 1), 1025],
    ['503 that asks for more', answered(503, 2), null],
    ['429 that asks for a second', answered(429, 1), 1025],
    ['429 that asks for more', answered(429, 2), null],
    ['429 that asks for nothing', answered(429), null],
    ['500', answered(500), null],
    ['404', answered(404), null],
    ['200', answered(200), null],
    ['what cannot be read', { kind: 'unreadable', cause: 'not_json', status: 200 }, null],
    ['a passed deadline', { kind: 'ended', by: 'deadline' }, null],
    ['a caller that left', { kind: 'ended', by: 'caller' }, null],
  ] satisfies ReadonlyArray<readonly [string, UpstreamOutcome, number | null]>)(
    'after %s',
    (_name, outcome, expected) => {
      expect(delay(outcome)).toBe(expected);
    },
  );

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('never for %s', (method) => {
    expect(delay({ kind: 'unreachable', code: 'ECONNREFUSED' }, { method })).toBeNull();
  });

  test('at most twice, each later, never past the deadline', () => {
    expect([1, 2, 3].map((tries) => delay({ kind: 'broken', code: null }, { tries, random: 1 }))).toEqual([
      50,
      100,
      null,
    ]);
    expect(delay({ kind: 'broken', code: null }, { remainingMs: 25 })).toBeNull();
  });
});

test('the budget gives ten retries at once, then one for five calls', () => {
  const budget = new RetryBudget();
  expect(Array.from({ length: 11 }, () => budget.withdraw())).toEqual([...Array(10).fill(true), false]);
  for (let call = 0; call < 6; call++) budget.deposit();
  expect([budget.withdraw(), budget.withdraw()]).toEqual([true, false]);
});
