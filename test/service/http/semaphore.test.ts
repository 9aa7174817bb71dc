import { EventEmitter, once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { Semaphore } from '../../../src/service/http/semaphore.js';

const minute = 60_000;
const connected = new AbortController().signal;

/** Work that is done when the test says so. */
function work(begun: string[], name: string) {
  const events = new EventEmitter();
  const over = once(events, 'over');
  const run = async () => {
    begun.push(name);
    await over;
    return name;
  };
  return { run, finish: () => events.emit('over'), fail: () => events.emit('error', new Error(name)) };
}

describe('a semaphore', () => {
  test('runs so much work at once; other work waits in order of arrival', async () => {
    const semaphore = new Semaphore({ maxConcurrent: 2, maxWaiting: 2, maxWaitMs: minute });
    const begun: string[] = [];
    const works = ['a', 'b', 'c', 'd'].map((name) => work(begun, name));
    const done = works.map(({ run }) => semaphore.run(connected, run));
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

  test('gives the slot of work that fails to the next', async () => {
    const semaphore = new Semaphore({ maxConcurrent: 1, maxWaiting: 1, maxWaitMs: minute });
    const begun: string[] = [];
    const [one, other] = [work(begun, 'one'), work(begun, 'other')];
    const first = semaphore.run(connected, one.run);
    const second = semaphore.run(connected, other.run);
    one.fail();
    await expect(first).rejects.toThrow('one');
    other.finish();
    expect(await second).toBe('other');
    const third = work(begun, 'third');
    third.finish();
    expect(await semaphore.run(connected, third.run)).toBe('third');
  });

  const busy = { code: 'unavailable', details: { retryAfterSeconds: 15 } };

  test('answers 503 where too many wait already, or after too long a wait', async () => {
    const semaphore = new Semaphore({ maxConcurrent: 1, maxWaiting: 1, maxWaitMs: 1 });
    const begun: string[] = [];
    const [one, late, many] = [work(begun, 'one'), work(begun, 'late'), work(begun, 'many')];
    const first = semaphore.run(connected, one.run);
    const waited = semaphore.run(connected, late.run);
    await expect(semaphore.run(connected, many.run)).rejects.toMatchObject(busy);
    await expect(waited).rejects.toMatchObject(busy);
    one.finish();
    await first;
    expect(begun).toEqual(['one']);
  });

  test('drops the work of a client that has disconnected', async () => {
    const semaphore = new Semaphore({ maxConcurrent: 1, maxWaiting: 2, maxWaitMs: minute });
    const begun: string[] = [];
    const [one, left, next] = [work(begun, 'one'), work(begun, 'left'), work(begun, 'next')];
    const first = semaphore.run(connected, one.run);
    const client = new AbortController();
    const second = semaphore.run(client.signal, left.run);
    const third = semaphore.run(connected, next.run);
    client.abort();
    await expect(second).rejects.toMatchObject(busy);
    one.finish();
    await first;
    next.finish();
    expect(await third).toBe('next');
    expect(begun).toEqual(['one', 'next']);
  });
});
