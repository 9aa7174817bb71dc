import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turns, type TurnTaker } from '../../../../src/service/db/embedded/turns.js';

/** A connection that always has a transaction waiting, each of which takes so long. */
function busyConnection(ms: number, onDone: () => void) {
  const connection = { isWaiting: true, done: 0 };
  const taker: TurnTaker & { done: number } = Object.assign(connection, {
    async step() {
      await setTimeout(ms);
      connection.done += 1;
      onDone();
      return true;
    },
  });
  return taker;
}

test('a connection with short transactions has as much time as one with long ones, not as many turns', async () => {
  const turns = new Turns<TurnTaker>();
  const long = busyConnection(60, () => {
    if (long.done === 6) turns.stop();
  });
  const short = busyConnection(1, () => {});
  turns.join(long);
  turns.join(short);
  await turns.run();
  expect(long.done).toBe(6);
  expect(short.done).toBeGreaterThan(3 * long.done);
});
