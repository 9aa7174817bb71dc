import { EventEmitter, once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { LargeBodies } from '../../../src/service/http/large-bodies.js';

const minute = 60_000;
const staying = new AbortController().signal;

/** Work that is done when the test says so. */
function work(begun: string[], name: string) {
  const told = new EventEmitter();
  const over = once(told, 'over');
  const run = async () => {
    begun.push(name);
    await over;
    return name;
  };
  return { run, finish: () => told.emit('over'), fail: () => told.emit('error', new Error(name)) };
}

describe('large bodies', () => {
  test('are let in so many at once; others wait for their turn', async () => {
    const room = new LargeBodies({ atOnce: 2, waiting: 2, longestWaitMs: minute });
    const begun: string[] = [];
    const works = ['a', 'b', 'c', 'd'].map((name) => work(begun, name));
    const done = works.map(({ run }) => room.inTurn(staying, run));
    expect(begun).toEqual(['a', 'b']);
    works[1]?.finish();
    expect(await done[1]).toBe('b');
    works[2]?.finish();
    await done[2];
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    works[0]?.finish();
    works[3]?.finish();
    expect(await Promise.all(done)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('whose work fails make room', async () => {
    const room = new LargeBodies({ atOnce: 1, waiting: 1, longestWaitMs: minute });
    const begun: string[] = [];
    const [one, other] = [work(begun, 'one'), work(begun, 'other')];
    const first = room.inTurn(staying, one.run);
    const second = room.inTurn(staying, other.run);
    one.fail();
    await expect(first).rejects.toThrow('one');
    other.finish();
    expect(await second).toBe('other');
    const third = work(begun, 'third');
    third.finish();
    expect(await room.inTurn(staying, third.run)).toBe('third');
  });

  const busy = { code: 'unavailable', details: { retryAfterSeconds: 15 } };

  test('are sent away where too many wait already, or when they have waited long', async () => {
    const room = new LargeBodies({ atOnce: 1, waiting: 1, longestWaitMs: 1 });
    const begun: string[] = [];
    const [one, late, many] = [work(begun, 'one'), work(begun, 'late'), work(begun, 'many')];
    const first = room.inTurn(staying, one.run);
    const waited = room.inTurn(staying, late.run);
    await expect(room.inTurn(staying, many.run)).rejects.toMatchObject(busy);
    await expect(waited).rejects.toMatchObject(busy);
    one.finish();
    await first;
    expect(begun).toEqual(['one']);
  });

  test('of a sender who is gone leave their place to the next', async () => {
    const room = new LargeBodies({ atOnce: 1, waiting: 2, longestWaitMs: minute });
    const begun: string[] = [];
    const [one, left, next] = [work(begun, 'one'), work(begun, 'left'), work(begun, 'next')];
    const first = room.inTurn(staying, one.run);
    const sender = new AbortController();
    const second = room.inTurn(sender.signal, left.run);
    const third = room.inTurn(staying, next.run);
    sender.abort();
    await expect(second).rejects.toMatchObject(busy);
    one.finish();
    await first;
    next.finish();
    expect(await third).toBe('next');
    expect(begun).toEqual(['one', 'next']);
  });
});
