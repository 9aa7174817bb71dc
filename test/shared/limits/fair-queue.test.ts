import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { FairQueue } from '../../../src/shared/limits/fair-queue.js';
import { Refusal } from '../../../src/shared/limits/refusal.js';

/** Work that ends when the test says so. */
function steps() {
  const order: string[] = [];
  const running: (() => void)[] = [];
  const work = (name: string) => () =>
    new Promise<void>((resolve) => {
      order.push(name);
      running.push(resolve);
    });
  /** Ends the work that has run for the longest time, and lets the next one start. */
  const endOne = async () => {
    running.shift()?.();
    await new Promise(setImmediate);
  };
  return { order, running, work, endOne };
}

const queueOf = (options: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}) =>
  new FairQueue({ maxRunning: 1, maxWaitMs: 600_000, name: 'requests', ...options });

async function repeated(times: number, run: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time += 1) await run();
}

/** Lets everything end, so that no promise of the test stays open. */
async function drain({ running, endOne }: ReturnType<typeof steps>): Promise<void> {
  while (running.length > 0) await endOne();
}

describe('a fair queue', () => {
  test('a key that floods lets another key go after one piece of work', async () => {
    const queue = queueOf();
    const flow = steps();
    const flood = Array.from({ length: 50 }, (_, n) => queue.run('flood', flow.work(`flood ${n}`)));
    await new Promise(setImmediate);
    const polite = queue.run('polite', flow.work('polite'));
    await flow.endOne();
    expect(flow.order).toEqual(['flood 0', 'polite']);
    await drain(flow);
    await Promise.all([...flood, polite]);
    expect(flow.order.filter((name) => name.startsWith('flood'))).toEqual(
      Array.from({ length: 50 }, (_, n) => `flood ${n}`),
    );
  });

  test('the time that work takes is shared, not the number of pieces', async () => {
    const queue = queueOf();
    // A clock of its own: on a loaded machine a millisecond of work may take forty.
    let clock = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => clock);
    onTestFinished(() => now.mockRestore());
    const busy = (ms: number) => async () => {
      clock += ms;
    };
    const ended: string[] = [];
    const long = Array.from({ length: 3 }, () => queue.run('long', busy(40)).then(() => ended.push('long')));
    const short = Array.from({ length: 30 }, () => queue.run('short', busy(1)).then(() => ended.push('short')));
    await Promise.all([...long, ...short]);
    // Shared by pieces, the three long pieces would be done after three short ones.
    expect(ended.lastIndexOf('long')).toBeGreaterThan(20);
  });

  test('work that yields waits a moment for a key that has had less time, as its next piece may be on its way', async () => {
    const busy = (ms: number) => async () => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    };
    const longPieces = async (graceMs: number) => {
      const queue = queueOf({ graceMs });
      let ended = 0;
      const long = Array.from({ length: 12 }, () =>
        queue.run('long', busy(20), { yields: true }).then(() => (ended += 1)),
      );
      // A call of several pieces: each comes a little after the one before has ended.
      await repeated(6, () => queue.run('short', busy(1)).then(() => new Promise(setImmediate)));
      const before = ended;
      await Promise.all(long);
      return before;
    };
    expect(await longPieces(0)).toBeGreaterThanOrEqual(6);
    // Long enough for a loaded machine.
    expect(await longPieces(1_000)).toBeLessThanOrEqual(3);
  });

  test('a key that is waited for and does not come holds nobody up', async () => {
    const queue = queueOf({ graceMs: 20 });
    const order: string[] = [];
    const piece = (key: string) => queue.run(key, async () => void order.push(key), { yields: true });
    const endLong = await queue.acquire('long');
    const busyUntil = performance.now() + 5;
    while (performance.now() < busyUntil);
    const waiting = [piece('long'), piece('short')];
    endLong();
    await Promise.all(waiting);
    // Nothing is running now, and the short key has just ended.
    await piece('long');
    expect(order).toEqual(['short', 'long', 'long']);
    expect(queue.load).toEqual({ running: 0, waiting: 0 });
  });

  test('a key never has more than its own limit, and the rest is free for others', async () => {
    const queue = queueOf({ maxRunning: 3, maxRunningPerKey: 2 });
    const flow = steps();
    const all = ['a', 'a', 'a', 'b'].map((key) => queue.run(key, flow.work(key)));
    await new Promise(setImmediate);
    expect(flow.order).toEqual(['a', 'a', 'b']);
    expect(queue.load).toEqual({ running: 3, waiting: 1 });
    await drain(flow);
    await Promise.all(all);
    expect(queue.load).toEqual({ running: 0, waiting: 0 });
  });

  test('work is refused on arrival where its queue would take longer than it may wait', async () => {
    const queue = queueOf({ maxWaitMs: 1 });
    await repeated(5, () => queue.run('a', () => setTimeout(20)));
    const release = await queue.acquire('a');
    const startedAt = queue.load;
    const refusal = await queue.acquire('a').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ refusal: 'busy', retryAfterSeconds: 2 });
    expect(queue.load).toEqual(startedAt);
    release();
  });

  test('a long queue of one key does not refuse the work of another', async () => {
    const queue = queueOf({ maxWaitMs: 500 });
    await repeated(5, () => queue.run('a', () => setTimeout(100)));
    const flow = steps();
    const flood = Array.from({ length: 50 }, () => queue.run('flood', flow.work('flood')).catch(() => 'refused'));
    await new Promise(setImmediate);
    expect(queue.load.waiting).toBeLessThan(10);
    const polite = queue.run('polite', flow.work('polite'));
    await flow.endOne();
    expect(flow.order).toContain('polite');
    await drain(flow);
    await polite;
    expect((await Promise.all(flood)).filter((each) => each === 'refused').length).toBeGreaterThan(40);
  });

  test('a key with long work is refused on arrival, however short the work of others is', async () => {
    const queue = queueOf({ maxRunning: 2, maxRunningPerKey: 1, maxWaitMs: 50 });
    const busy = (ms: number) => async () => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    };
    await queue.run('long', busy(60));
    for (let n = 0; n < 100; n += 1) await queue.run('short', async () => {});
    const flow = steps();
    const running = queue.run('long', flow.work('long'));
    await expect(queue.run('long', flow.work('too late'))).rejects.toMatchObject({ refusal: 'busy' });
    await queue.run('short', async () => {});
    await drain(flow);
    await running;
    expect(flow.order).toEqual(['long']);
  });

  test('work takes as many places as it says, and begins where one is free', async () => {
    const queue = queueOf({ maxRunning: 6, maxRunningPerKey: 5 });
    const flow = steps();
    const pieces = ['a', 'b', 'c'].map((name) => queue.run('many', flow.work(name), { places: 4 }));
    await new Promise(setImmediate);
    expect(flow.order).toEqual(['a', 'b']);
    expect(queue.load).toEqual({ running: 8, waiting: 1 });
    const other = queue.run('other', flow.work('other'));
    await new Promise(setImmediate);
    expect(flow.order).toEqual(['a', 'b']);
    await flow.endOne();
    expect(flow.order).toEqual(['a', 'b', 'other', 'c']);
    await drain(flow);
    await Promise.all([...pieces, other]);
    expect(queue.load).toEqual({ running: 0, waiting: 0 });
  });

  test('work that has waited too long is refused', async () => {
    const queue = queueOf({ maxWaitMs: 30 });
    const release = await queue.acquire('a');
    expect(await queue.acquire('a').catch((error: unknown) => error)).toMatchObject({ refusal: 'busy' });
    expect(queue.load).toEqual({ running: 1, waiting: 0 });
    release();
  });

  test('a caller who leaves gives up the place in the queue', async () => {
    const queue = queueOf();
    const release = await queue.acquire('a');
    const leaving = new AbortController();
    const left = queue.acquire('a', { signal: leaving.signal }).catch((error: unknown) => error);
    leaving.abort();
    expect(await left).toBeInstanceOf(Refusal);
    expect(await queue.acquire('a', { signal: AbortSignal.abort() }).catch((error: unknown) => error)).toBeInstanceOf(
      Refusal,
    );
    expect(queue.load).toEqual({ running: 1, waiting: 0 });
    release();
  });

  test('the number of those that wait is bounded', async () => {
    const queue = queueOf({ maxWaiting: 2 });
    const release = await queue.acquire('a');
    const waiting = [queue.acquire('a'), queue.acquire('a')];
    expect(await queue.acquire('b').catch((error: unknown) => error)).toBeInstanceOf(Refusal);
    release();
    for (const each of waiting) (await each)();
  });

  test('work that ends twice frees one place', async () => {
    const queue = queueOf();
    const release = await queue.acquire('a');
    release();
    release();
    expect(queue.load).toEqual({ running: 0, waiting: 0 });
  });

  test('a key has as much under way at once as it may, and not one more', () => {
    const queue = new FairQueue({ name: 'calls at once by one credential', maxRunningPerKey: 2 });
    const [end] = [queue.enter('a'), queue.enter('a')];
    expect(() => queue.enter('a')).toThrow(/2 calls at once by one credential/);
    queue.enter('b');
    end();
    end();
    queue.enter('a');
    expect(() => queue.enter('a')).toThrow(expect.objectContaining({ refusal: 'rate_limited', retryAfterSeconds: 1 }));
  });

  test('a place that comes free goes to the next key, whatever is left of the one before', async () => {
    const queue = queueOf({ shares: 'pieces' });
    const flow = steps();
    const all = ['a', 'a', 'a', 'b', 'a', 'b'].map((key) => queue.run(key, flow.work(key)));
    await new Promise(setImmediate);
    await drain(flow);
    await Promise.all(all);
    expect(flow.order).toEqual(['a', 'b', 'a', 'b', 'a', 'a']);
  });

  test('a key whose own queue is full is refused, and no other', async () => {
    const refusal = 'too many uploads';
    const queue = queueOf({ shares: 'pieces', maxWaitingPerKey: 3, retryAfterSeconds: [5, 60], refusal });
    const flow = steps();
    const line = ['a', 'a', 'a', 'a'].map((key) => queue.run(key, flow.work(key)));
    const refused = { refusal: 'busy', message: refusal, retryAfterSeconds: 5 };
    expect(() => queue.requireRoom('a')).toThrow(expect.objectContaining(refused));
    await expect(queue.acquire('a')).rejects.toMatchObject(refused);
    queue.requireRoom('b');
    const other = queue.run('b', flow.work('b'));
    await drain(flow);
    await Promise.all([...line, other]);
    expect(flow.order).toEqual(['a', 'b', 'a', 'a', 'a']);
  });

  test('a full queue refuses the last piece of the longest key, for one of a shorter', async () => {
    const queue = queueOf({ maxRunning: 2, maxWaiting: 8, maxWaitingPerKey: 4, displaces: true });
    const flow = steps();
    const add = (key: string) =>
      queue.run(key, flow.work(key)).then(
        () => 'done',
        () => 'refused',
      );
    const ofOne = Array.from({ length: 7 }, () => add('a'));
    expect(await ofOne[6]).toBe('refused');
    const others = ['b', 'c', 'd', 'e'].map(add);
    const more = ['f', 'g'].map(add);
    expect(await Promise.all(ofOne.slice(4, 6))).toEqual(['refused', 'refused']);
    const last = ['h', 'i'].map(add);
    expect(await last[1]).toBe('refused');
    await drain(flow);
    const served = [...ofOne.slice(0, 3), ...others, ...more, ...last.slice(0, 1)];
    expect(await Promise.all(served)).toEqual(Array(10).fill('done'));
    expect(queue.load).toEqual({ running: 0, waiting: 0 });
  });
});
