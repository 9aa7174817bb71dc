import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LoopTurns } from '../../../src/shared/limits/loop-turns.js';

/** Turns with a clock that only work moves on. */
function withClock() {
  const clock = { ms: 0 };
  return { clock, turns: new LoopTurns(() => clock.ms) };
}

/** Counts the turns of the event loop until it is stopped. */
function countTurns() {
  const counted = { turns: 0, stop: () => {} };
  let immediate: NodeJS.Immediate;
  const count = () => {
    counted.turns += 1;
    immediate = setImmediate(count);
  };
  immediate = setImmediate(count);
  counted.stop = () => clearImmediate(immediate);
  onTestFinished(() => counted.stop());
  return counted;
}

describe('pieces of work', () => {
  test('run at once while the turn has time for them', () => {
    const { clock, turns } = withClock();
    expect(turns.next('a')).toBeUndefined();
    clock.ms += 0.9;
    expect(turns.next('a')).toBeUndefined();
  });

  test('wait for the next turn where this one has had its time', async () => {
    const { clock, turns } = withClock();
    turns.next('a');
    clock.ms += 1;
    const counted = countTurns();
    await turns.next('a');
    expect(counted.turns).toBeGreaterThan(0);
    counted.stop();
  });

  test('have time again in the turn after', async () => {
    const { clock, turns } = withClock();
    turns.next('a');
    clock.ms += 1;
    await new Promise(setImmediate);
    expect(turns.next('a')).toBeUndefined();
  });

  test('that are short share a turn, and what one of them does without waiting belongs to it', async () => {
    const { clock, turns } = withClock();
    turns.next('a');
    clock.ms += 1;
    const counted = countTurns();
    const ran = await Promise.all(
      Array.from({ length: 6 }, async () => {
        await turns.next('a');
        await Promise.resolve();
        clock.ms += 0.4;
        return counted.turns;
      }),
    );
    counted.stop();
    const [first = 0] = ran;
    expect(ran.map((turn) => turn - first)).toEqual([0, 0, 0, 1, 1, 1]);
  });
});

test('each lane goes on with one piece after the other, however many wait of each', async () => {
  const { clock, turns } = withClock();
  turns.next('greedy');
  clock.ms += 1;
  const order: string[] = [];
  const piece = async (lane: string) => {
    await turns.next(lane);
    clock.ms += 1;
    order.push(lane);
  };
  await Promise.all(['greedy', 'greedy', 'greedy', 'greedy', 'polite', 'other', 'polite'].map(piece));
  expect(order).toEqual(['greedy', 'polite', 'other', 'greedy', 'polite', 'greedy', 'greedy']);
});

describe('a turn that takes in a connection', () => {
  test('leaves its work to the next one', async () => {
    const { turns } = withClock();
    turns.arrived();
    const counted = countTurns();
    await turns.next('a');
    // The one that has begun, and the one after it.
    expect(counted.turns).toBe(2);
    counted.stop();
  });

  test('has work nevertheless after four that had none', async () => {
    const { clock, turns } = withClock();
    const ran: number[] = [];
    let turn = 0;
    let arriving: NodeJS.Immediate;
    const arrive = () => {
      turn += 1;
      turns.arrived();
      arriving = setImmediate(arrive);
    };
    arriving = setImmediate(arrive);
    onTestFinished(() => clearImmediate(arriving));
    turns.arrived();
    const piece = async () => {
      await turns.next('a');
      clock.ms += 1;
      ran.push(turn);
    };
    await Promise.all([piece(), piece(), piece()]);
    const [first = 0] = ran;
    expect(ran.map((each) => each - first)).toEqual([0, 5, 10]);
  });
});

test('who comes to a crowd is let in before the crowd is worked off', async () => {
  const turns = new LoopTurns();
  let done = 0;
  const server = createServer((socket) => {
    turns.arrived();
    socket.on('error', () => {});
    socket.once('data', async (data) => {
      if (data.toString() === 'health') {
        socket.end(String(done));
        return;
      }
      // Twenty answers of a database, say, for which much is done.
      for (let piece = 0; piece < 20; piece += 1) {
        await turns.next('crowd');
        const begun = performance.now();
        while (performance.now() - begun < 1);
      }
      done += 1;
    });
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const send = async (text: string) => {
    const socket = connect(address.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  for (let n = 0; n < 100; n += 1) await send('work');
  const health = await send('health');
  const [answer] = await once(health, 'data');
  expect(Number(String(answer))).toBeLessThan(100);
});
