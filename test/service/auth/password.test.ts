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
    const [known, unknown] = await fastestOf([
      () => passwordMatches(kept, 'wrong'),
      () => passwordMatches(undefined, 'wrong'),
    ]);
    expect(await passwordMatches(undefined, 'wrong')).toBe(false);
    expect(unknown).toBeGreaterThan(known / 3);
  });

  test('made for a first sign-in are long and differ', () => {
    expect(makePassword()).toMatch(/^[\w-]{24}$/);
    expect(makePassword()).not.toBe(makePassword());
  });
});

/** Milliseconds of the fastest of twenty runs each, taken in turn: the one least disturbed by what else the machine does. */
async function fastestOf(works: readonly [() => Promise<unknown>, () => Promise<unknown>]): Promise<[number, number]> {
  const fastest: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let run = 0; run < 20; run += 1) {
    for (const each of [0, 1] as const) {
      const begun = performance.now();
      await works[each]();
      fastest[each] = Math.min(fastest[each], performance.now() - begun);
    }
  }
  return fastest;
}
