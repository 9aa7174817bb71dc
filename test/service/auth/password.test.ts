import { hash } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { hashesOf, hashPassword, makePassword, passwordMatches } from '../../../src/service/auth/password.js';

describe('passwords', () => {
  test('are kept as argon2id with 19 MiB, two passes and one lane', async () => {
    expect(await hashPassword('correct horse battery')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('match their own hash alone', async () => {
    const kept = await hashPassword('correct horse battery');
    expect(await passwordMatches(kept, 'correct horse battery')).toBe(true);
    expect(await passwordMatches(kept, 'correct horse batterz')).toBe(false);
  });

  test('of one address have one salt, whichever is made after which', async () => {
    const first = await hashPassword('correct horse battery');
    const second = await hashPassword('another', first);
    const third = await hashPassword('another', second);
    expect(new Set([first, second, third].map((each) => each.slice(0, each.lastIndexOf('$')))).size).toBe(1);
    expect([second === first, third === second]).toEqual([false, true]);
    expect(await hashPassword('another')).not.toContain(second.split('$')[4]);
  });

  test('tell of which hashes they are', async () => {
    const first = await hashPassword('correct horse battery');
    const same = await hashPassword('correct horse battery');
    const other = await hashPassword('another', first);
    const all = [first, same, other];
    expect(await hashesOf('correct horse battery', all)).toEqual(new Set([first, same]));
    expect(await hashesOf('another', all)).toEqual(new Set([other]));
    expect(await hashesOf('correct horse batterz', all)).toEqual(new Set());
    expect(await hashesOf('another', [])).toEqual(new Set());
  });

  test('made by other parameters match too', async () => {
    const old = await hash('correct horse battery', { memoryCost: 8_192, timeCost: 3, outputLen: 24 });
    expect(await hashesOf('correct horse battery', [old])).toEqual(new Set([old]));
    expect(await hashesOf('another', [old])).toEqual(new Set());
  });

  test('take as long where there is no account, and where there are several', async () => {
    const kept = await hashPassword('correct horse battery');
    const three = [kept, await hashPassword('one', kept), await hashPassword('two', kept)];
    await hashesOf('warm up', []);
    const [none, one, several] = await fastestOf([[], [kept], three].map((each) => () => hashesOf('wrong', each)));
    expect(none).toBeGreaterThan((one ?? 0) / 2);
    expect(several).toBeLessThan((one ?? 0) * 2);
  });

  test('made for a first sign-in are long and differ', () => {
    expect(makePassword()).toMatch(/^[\w-]{24}$/);
    expect(makePassword()).not.toBe(makePassword());
  });
});

/** Milliseconds of the fastest of twenty runs each, taken in turn: the one least disturbed by what else the machine does. */
async function fastestOf(works: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const fastest = works.map(() => Number.POSITIVE_INFINITY);
  for (let run = 0; run < 20; run += 1) {
    for (const [at, work] of works.entries()) {
      const begun = performance.now();
      await work();
      fastest[at] = Math.min(fastest[at] ?? 0, performance.now() - begun);
    }
  }
  return fastest;
}
