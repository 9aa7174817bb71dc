import { expect, test } from 'vitest';
import { nextAttempt } from '../../../src/service/webhooks/retry-schedule.js';

const createdAt = new Date('2026-01-01T00:00:00Z');

/** The delays in seconds until it is given up, without jitter. */
function delays(): number[] {
  const seconds: number[] = [];
  let now = createdAt;
  for (let attempts = 1; ; attempts += 1) {
    const next = nextAttempt({ attempts, createdAt, now, retryAfterSeconds: null, random: 0.5 });
    if (next === null) return seconds;
    seconds.push((next.getTime() - now.getTime()) / 1_000);
    now = next;
  }
}

test('grows threefold from ten seconds to four hours, and ends within 24 hours', () => {
  const all = delays();
  expect(all.slice(0, 4)).toEqual([10, 30, 90, 270]);
  expect(all.at(-1)).toBe(14_400);
  const total = all.reduce((sum, delay) => sum + delay, 0);
  expect(total).toBeLessThanOrEqual(24 * 3_600);
  expect(total).toBeGreaterThan(18 * 3_600);
});

test('jitter moves a delay by a fifth', () => {
  const at = (random: number) =>
    nextAttempt({ attempts: 2, createdAt, now: createdAt, retryAfterSeconds: null, random })?.getTime();
  expect(at(0)).toBe(createdAt.getTime() + 24_000);
  expect(at(1)).toBe(createdAt.getTime() + 36_000);
});

test('a receiver is not asked before it wants to be, and not at all where that is beyond a day', () => {
  const dayMs = 24 * 3_600_000;
  const asked = (retryAfterSeconds: number, now = createdAt) =>
    nextAttempt({ attempts: 1, createdAt, now, retryAfterSeconds, random: 0 });
  expect(asked(3_600)).toEqual(new Date(createdAt.getTime() + 3_600_000));
  expect(asked(1)).toEqual(new Date(createdAt.getTime() + 8_000));
  expect(asked(86_400)).toEqual(new Date(createdAt.getTime() + dayMs));
  expect(asked(86_400, new Date(createdAt.getTime() + 1))).toBeNull();
});
