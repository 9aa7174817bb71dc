import { expect, test } from 'vitest';
import { turnsOfPool } from '../../../src/service/db/transaction-turns.js';
import { ChildTurns } from '../../../src/service/uploads/child-turns.js';
import { ParentTurns } from '../../../src/service/uploads/parent-turns.js';
import { ofTurns, toTurns } from '../../../src/service/uploads/turn-messages.js';
import { FairQueue } from '../../../src/shared/limits/fair-queue.js';

/** The turns of an embedded database, and an upload's process that takes them by messages. */
function shared(turns = turnsOfPool(1)) {
  const child = new ParentTurns((message) => atParent.receive(ofTurns.parse(structuredClone(message))));
  const atParent = new ChildTurns(turns, (message) => child.receive(toTurns.parse(structuredClone(message))));
  return { turns, child, atParent };
}

const settled = () => new Promise(setImmediate);

test('an upload’s process takes the turns of its organisation, which another organisation does not wait for', async () => {
  const { turns, child } = shared();
  const order: string[] = [];
  const ask = async (
    of: Pick<FairQueue, 'acquire'> | ParentTurns,
    lane: 'organisation:a' | 'organisation:b',
    name: string,
  ) => {
    const end = await of.acquire(lane, {});
    order.push(name);
    return end;
  };
  const endFirst = await ask(child, 'organisation:a', 'upload of a');
  const waiting = [
    ask(turns, 'organisation:a', 'request of a'),
    ask(child, 'organisation:a', 'next of the upload'),
    ask(turns, 'organisation:b', 'request of b'),
  ];
  await settled();
  expect(order).toEqual(['upload of a']);
  expect(turns.load).toEqual({ running: 1, waiting: 3 });
  const busyUntil = performance.now() + 5;
  while (performance.now() < busyUntil);
  endFirst();
  for (const next of [waiting[2], waiting[0], waiting[1]]) (await next)?.();
  expect(order).toEqual(['upload of a', 'request of b', 'request of a', 'next of the upload']);
  await settled();
  expect(turns.load).toEqual({ running: 0, waiting: 0 });
});

test('a process that has ended holds no turn, nor the one that it waited for', async () => {
  const { turns, child, atParent } = shared();
  await child.acquire('background', {});
  void child.acquire('background', {});
  await settled();
  expect(turns.load).toEqual({ running: 1, waiting: 1 });
  atParent.end();
  await settled();
  expect(turns.load).toEqual({ running: 0, waiting: 0 });
  const end = await turns.acquire('health');
  end();
});

test('a refusal reaches the process, with when to come again', async () => {
  const { child } = shared(new FairQueue({ maxRunning: 1, maxWaitMs: 1, maxWaiting: 0, name: 'transactions' }));
  const end = await child.acquire('background', {});
  await expect(child.acquire('organisation:a', { maxWaitMs: 10 })).rejects.toMatchObject({
    refusal: 'busy',
    message: 'too many transactions are waiting already',
    retryAfterSeconds: 2,
  });
  end();
});
