import { describe, expect, test } from 'vitest';
import { hashPassword, makePassword, passwordMatches } from '../../../src/service/auth/password.js';

describe('passwords', () => {
  test('are kept as argon2id with 19 MiB, two passes and one lane', async () => {
    expect(await hashPassword('correct horse battery')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('match their own hash alone', async () => {
    const kept = await hashPassword('correct horse battery');
    expect(await passwordMatches(kept, 'correct horse battery')).toBe(true);
    expect(await passwordMatches(kept, 'correct horse batterz')).toBe(false);
  });

  test('never match where there is no member, and take as long to say so', async () => {
    const kept = await hashPassword('correct horse battery');
    await passwordMatches(undefined, 'warm up');
    const known = await fastestOf(() => passwordMatches(kept, 'wrong'));
    const unknown = await fastestOf(() => passwordMatches(undefined, 'wrong'));
    expect(await passwordMatches(undefined, 'wrong')).toBe(false);
    expect(unknown).toBeGreaterThan(known / 3);
  });

  test('made for a first sign-in are long and differ', () => {
    expect(makePassword()).toMatch(/^[\w-]{24}$/);
    expect(makePassword()).not.toBe(makePassword());
  });
});

/** Milliseconds of the fastest of five runs: the one least disturbed. */
async function fastestOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return Math.min(...times);
}
