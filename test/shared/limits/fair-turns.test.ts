import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { FairTurns } from '../../../src/shared/limits/fair-turns.js';
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

const turnsOf = (options: Partial<ConstructorParameters<typeof FairTurns>[0]> = {}) =>
  new FairTurns({ maxRunning: 1, maxWaitMs: 600_000, name: 'requests', ...options });

async function repeated(times: number, run: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time += 1) await run();
}

/** Lets everything end, so that no promise of the test stays open. */
async function drain({ running, endOne }: ReturnType<typeof steps>): Promise<void> {
  while (running.length > 0) await endOne();
}

describe('fair turns', () => {
  test('a lane that floods leaves another lane its turn after one piece of work', async () => {
    const turns = turnsOf();
    const flow = steps();
    const flood = Array.from({ length: 50 }, (_, n) => turns.run('flood', flow.work(`flood ${n}`)));
    await new Promise(setImmediate);
    const polite = turns.run('polite', flow.work('polite'));
    await flow.endOne();
    expect(flow.order).toEqual(['flood 0', 'polite']);
    await drain(flow);
    await Promise.all([...flood, polite]);
    expect(flow.order.filter((name) => name.startsWith('flood'))).toEqual(
      Array.from({ length: 50 }, (_, n) => `flood ${n}`),
    );
  });

  test('the time that work takes is shared, not the number of pieces', async () => {
    const turns = turnsOf();
    // A clock of its own: on a loaded machine a millisecond of work may take forty.
    let clock = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => clock);
    onTestFinished(() => now.mockRestore());
    const busy = (ms: number) => async () => {
      clock += ms;
    };
    const ended: string[] = [];
    const long = Array.from({ length: 3 }, () => turns.run('long', busy(40)).then(() => ended.push('long')));
    const short = Array.from({ length: 30 }, () => turns.run('short', busy(1)).then(() => ended.push('short')));
    await Promise.all([...long, ...short]);
    // With turns by number the three long pieces would be done after three short ones.
    expect(ended.lastIndexOf('long')).toBeGreaterThan(20);
  });

  test('work that yields waits a moment for a lane that has had less time, as its next piece may be on its way', async () => {
    const busy = (ms: number) => async () => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    };
    const longPieces = async (graceMs: number) => {
      const turns = turnsOf({ graceMs });
      let ended = 0;
      const long = Array.from({ length: 12 }, () =>
        turns.run('long', busy(20), { yields: true }).then(() => (ended += 1)),
      );
      // A call of several pieces: each comes a little after the one before has ended.
      await repeated(6, () => turns.run('short', busy(1)).then(() => new Promise(setImmediate)));
      const before = ended;
      await Promise.all(long);
      return before;
    };
    expect(await longPieces(0)).toBeGreaterThanOrEqual(6);
    // Long enough for a loaded machine.
    expect(await longPieces(1_000)).toBeLessThanOrEqual(3);
  });

  test('a lane that is waited for and does not come holds nobody up', async () => {
    const turns = turnsOf({ graceMs: 20 });
    const order: string[] = [];
    const piece = (lane: string) => turns.run(lane, async () => void order.push(lane), { yields: true });
    const endLong = await turns.acquire('long');
    const busyUntil = performance.now() + 5;
    while (performance.now() < busyUntil);
    const waiting = [piece('long'), piece('short')];
    endLong();
    await Promise.all(waiting);
    // Nothing is running now, and the short lane has just ended.
    await piece('long');
    expect(order).toEqual(['short', 'long', 'long']);
    expect(turns.load).toEqual({ running: 0, waiting: 0 });
  });

  test('a lane never has more than its own limit, and the rest is free for others', async () => {
    const turns = turnsOf({ maxRunning: 3, maxRunningPerLane: 2 });
    const flow = steps();
    const all = ['a', 'a', 'a', 'b'].map((lane) => turns.run(lane, flow.work(lane)));
    await new Promise(setImmediate);
    expect(flow.order).toEqual(['a', 'a', 'b']);
    expect(turns.load).toEqual({ running: 3, waiting: 1 });
    await drain(flow);
    await Promise.all(all);
    expect(turns.load).toEqual({ running: 0, waiting: 0 });
  });

  test('work is refused on arrival where its line would take longer than it may wait', async () => {
    const turns = turnsOf({ maxWaitMs: 1 });
    await repeated(5, () => turns.run('a', () => setTimeout(20)));
    const release = await turns.acquire('a');
    const startedAt = turns.load;
    const refusal = await turns.acquire('a').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ refusal: 'busy', retryAfterSeconds: 2 });
    expect(turns.load).toEqual(startedAt);
    release();
  });

  test('a long line of one lane does not refuse the work of another', async () => {
    const turns = turnsOf({ maxWaitMs: 500 });
    await repeated(5, () => turns.run('a', () => setTimeout(100)));
    const flow = steps();
    const flood = Array.from({ length: 50 }, () => turns.run('flood', flow.work('flood')).catch(() => 'refused'));
    await new Promise(setImmediate);
    expect(turns.load.waiting).toBeLessThan(10);
    const polite = turns.run('polite', flow.work('polite'));
    await flow.endOne();
    expect(flow.order).toContain('polite');
    await drain(flow);
    await polite;
    expect((await Promise.all(flood)).filter((each) => each === 'refused').length).toBeGreaterThan(40);
  });

  test('a lane of long work is refused on arrival, however short the work of others is', async () => {
    const turns = turnsOf({ maxRunning: 2, maxRunningPerLane: 1, maxWaitMs: 50 });
    const busy = (ms: number) => async () => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    };
    await turns.run('long', busy(60));
    for (let n = 0; n < 100; n += 1) await turns.run('short', async () => {});
    const flow = steps();
    const running = turns.run('long', flow.work('long'));
    await expect(turns.run('long', flow.work('too late'))).rejects.toMatchObject({ refusal: 'busy' });
    await turns.run('short', async () => {});
    await drain(flow);
    await running;
    expect(flow.order).toEqual(['long']);
  });

  test('work takes as many places as it says, and begins where one is free', async () => {
    const turns = turnsOf({ maxRunning: 6, maxRunningPerLane: 5 });
    const flow = steps();
    const pieces = ['a', 'b', 'c'].map((name) => turns.run('many', flow.work(name), { places: 4 }));
    await new Promise(setImmediate);
    expect(flow.order).toEqual(['a', 'b']);
    expect(turns.load).toEqual({ running: 8, waiting: 1 });
    const other = turns.run('other', flow.work('other'));
    await new Promise(setImmediate);
    expect(flow.order).toEqual(['a', 'b']);
    await flow.endOne();
    expect(flow.order).toEqual(['a', 'b', 'other', 'c']);
    await drain(flow);
    await Promise.all([...pieces, other]);
    expect(turns.load).toEqual({ running: 0, waiting: 0 });
  });

  test('work that has waited too long is refused', async () => {
    const turns = turnsOf({ maxWaitMs: 30 });
    const release = await turns.acquire('a');
    expect(await turns.acquire('a').catch((error: unknown) => error)).toMatchObject({ refusal: 'busy' });
    expect(turns.load).toEqual({ running: 1, waiting: 0 });
    release();
  });

  test('who leaves gives up the place in the line', async () => {
    const turns = turnsOf();
    const release = await turns.acquire('a');
    const leaving = new AbortController();
    const left = turns.acquire('a', { signal: leaving.signal }).catch((error: unknown) => error);
    leaving.abort();
    expect(await left).toBeInstanceOf(Refusal);
    expect(await turns.acquire('a', { signal: AbortSignal.abort() }).catch((error: unknown) => error)).toBeInstanceOf(
      Refusal,
    );
    expect(turns.load).toEqual({ running: 1, waiting: 0 });
    release();
  });

  test('the number of those that wait is bounded', async () => {
    const turns = turnsOf({ maxWaiting: 2 });
    const release = await turns.acquire('a');
    const waiting = [turns.acquire('a'), turns.acquire('a')];
    expect(await turns.acquire('b').catch((error: unknown) => error)).toBeInstanceOf(Refusal);
    release();
    for (const each of waiting) (await each)();
  });

  test('ending a turn twice frees one slot', async () => {
    const turns = turnsOf();
    const release = await turns.acquire('a');
    release();
    release();
    expect(turns.load).toEqual({ running: 0, waiting: 0 });
  });
});
