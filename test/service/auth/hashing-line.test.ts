import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { HashingLine } from '../../../src/service/auth/hashing-line.js';
import { ApiError } from '../../../src/service/http/api-error.js';

const limits = { maxAtOnce: 2, maxWaiting: 8, maxWaitingOfOne: 4, maxWaitMs: 100_000 };

/** A line whose work runs until it is let go, and who is at work now. */
function watched(changed: Partial<typeof limits> = {}) {
  const line = new HashingLine({ ...limits, ...changed });
  const atWork: { readonly network: string; readonly finish: () => void }[] = [];
  const begun: string[] = [];
  let most = 0;
  const enter = (network: string) =>
    line
      .run(network, async () => {
        await new Promise<void>((resolve) => {
          atWork.push({ network, finish: resolve });
          begun.push(network);
          most = Math.max(most, atWork.length);
        });
      })
      .then(
        () => 'done',
        (error: unknown) => {
          if (error instanceof ApiError) return error;
          throw error;
        },
      );
  async function finishAll(): Promise<void> {
    while (atWork.length > 0) {
      atWork.shift()?.finish();
      await turn();
    }
  }
  return { enter, finishAll, begun, most: () => most };
}

describe('the line of those whose passwords are hashed', () => {
  test('lets two work at once, and all in the end', async () => {
    const { enter, finishAll, most } = watched();
    const all = ['a', 'b', 'c', 'd', 'e'].map(enter);
    await finishAll();
    expect(await Promise.all(all)).toEqual(Array(5).fill('done'));
    expect(most()).toBe(2);
  });

  test('gives networks turns: who sends many does not delay who sends one', async () => {
    const { enter, finishAll, begun } = watched();
    const all = ['a', 'a', 'a', 'a', 'a', 'a', 'b'].map(enter);
    await finishAll();
    await Promise.all(all);
    expect(begun.indexOf('b')).toBeLessThan(4);
  });

  test('refuses with 503 and Retry-After before it grows too long, first those of the longest line', async () => {
    const { enter, finishAll } = watched();
    const ofOne = Array.from({ length: 7 }, () => enter('a'));
    expect(await ofOne[6]).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 2 } });
    const others = ['b', 'c', 'd', 'e'].map(enter);
    const more = ['f', 'g'].map(enter);
    for (const displaced of ofOne.slice(4, 6)) expect(await displaced).toMatchObject({ code: 'unavailable' });
    const last = ['h', 'i'].map(enter);
    expect(await last[1]).toMatchObject({ code: 'unavailable' });
    await finishAll();
    const served = [...ofOne.slice(0, 3), ...others, ...more, ...last.slice(0, 1)];
    expect(await Promise.all(served)).toEqual(Array(10).fill('done'));
    const later = enter('i');
    await finishAll();
    expect(await later).toBe('done');
  });

  test('refuses who has waited too long, and goes on', async () => {
    const { enter, finishAll } = watched({ maxWaitMs: 1 });
    const working = [enter('a'), enter('a')];
    expect(await enter('a')).toMatchObject({ code: 'unavailable' });
    await finishAll();
    expect(await Promise.all(working)).toEqual(['done', 'done']);
    const next = enter('b');
    await finishAll();
    expect(await next).toBe('done');
  });
});
