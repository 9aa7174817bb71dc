import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { beginNewcomer, EventLoop } from '../../../src/shared/limits/event-loop.js';

/** Turns with a clock that only work moves on. */
function withClock() {
  const clock = { ms: 0 };
  return { clock, loop: new EventLoop(() => clock.ms) };
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
    const { clock, loop } = withClock();
    expect(loop.next('a')).toBeUndefined();
    clock.ms += 0.9;
    expect(loop.next('a')).toBeUndefined();
  });

  test('wait for the next turn where this one has had its time', async () => {
    const { clock, loop } = withClock();
    loop.next('a');
    clock.ms += 1;
    const counted = countTurns();
    await loop.next('a');
    expect(counted.turns).toBeGreaterThan(0);
    counted.stop();
  });

  test('have time again in the turn after', async () => {
    const { clock, loop } = withClock();
    loop.next('a');
    clock.ms += 1;
    await new Promise(setImmediate);
    expect(loop.next('a')).toBeUndefined();
  });

  test('that are short share a turn, and what one of them does without waiting belongs to it', async () => {
    const { clock, loop } = withClock();
    loop.next('a');
    clock.ms += 1;
    const counted = countTurns();
    const ran = await Promise.all(
      Array.from({ length: 6 }, async () => {
        await loop.next('a');
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

test('each key goes on with one piece after the other, however many wait of each', async () => {
  const { clock, loop } = withClock();
  loop.next('greedy');
  clock.ms += 1;
  const order: string[] = [];
  const piece = async (key: string) => {
    await loop.next(key);
    clock.ms += 1;
    order.push(key);
  };
  await Promise.all(['greedy', 'greedy', 'greedy', 'greedy', 'polite', 'other', 'polite'].map(piece));
  expect(order).toEqual(['greedy', 'polite', 'other', 'greedy', 'polite', 'greedy', 'greedy']);
});

describe('a turn that takes in a connection', () => {
  test('leaves its work to the next one', async () => {
    const { loop } = withClock();
    loop.arrived();
    const counted = countTurns();
    await loop.next('a');
    // The one that has begun, and the one after it.
    expect(counted.turns).toBe(2);
    counted.stop();
  });

  test('has work nevertheless after four that had none', async () => {
    const { clock, loop } = withClock();
    const ran: number[] = [];
    let turn = 0;
    let arriving: NodeJS.Immediate;
    const arrive = () => {
      turn += 1;
      loop.arrived();
      arriving = setImmediate(arrive);
    };
    arriving = setImmediate(arrive);
    onTestFinished(() => clearImmediate(arriving));
    loop.arrived();
    const piece = async () => {
      await loop.next('a');
      clock.ms += 1;
      ran.push(turn);
    };
    await Promise.all([piece(), piece(), piece()]);
    const [first = 0] = ran;
    expect(ran.map((each) => each - first)).toEqual([0, 5, 10]);
  });
});

/** A server on loopback, and a client that sends it a text and answers what comes back first. */
async function serve(onText: (text: string, answer: (text: string) => void) => void, arrived = () => {}) {
  const server = createServer((socket) => {
    arrived();
    socket.on('error', () => {});
    socket.once('data', (data) => onText(data.toString(), (text) => socket.end(text)));
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return (text: string) => {
    const socket = connect(address.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(text);
    return socket;
  };
}

test('a caller who comes to a crowd is accepted before the crowd is worked off', async () => {
  const loop = new EventLoop();
  let done = 0;
  const send = await serve(async (text, answer) => {
    if (text === 'health') {
      answer(String(done));
      return;
    }
    // Much is done for twenty answers of a database.
    for (let piece = 0; piece < 20; piece += 1) {
      await loop.next('crowd');
      const begun = performance.now();
      while (performance.now() - begun < 1);
    }
    done += 1;
  }, loop.arrived);
  for (let n = 0; n < 100; n += 1) await once(send('work'), 'connect');
  const [answer] = await once(send('health'), 'data');
  expect(Number(String(answer))).toBeLessThan(100);
});

describe('callers without a known credential', () => {
  test('leave others to be accepted before all of them have begun', async () => {
    let done = 0;
    const send = await serve((text, answer) => {
      if (text === 'health') answer(String(done));
      else void beginNewcomer('crowd').then(() => (done += 1));
    });
    for (let n = 0; n < 100; n += 1) send('crowd');
    const [answer] = await once(send('health'), 'data');
    expect(Number(String(answer))).toBeLessThan(60);
  });

  test('of one address do not delay those of another', async () => {
    const begun: string[] = [];
    const all = [...Array.from({ length: 50 }, () => 'crowd'), 'polite'].map((address) =>
      beginNewcomer(address).then(() => begun.push(address)),
    );
    await Promise.all(all);
    // Eight begin together.
    expect(begun.indexOf('polite')).toBeLessThanOrEqual(8);
  });
});
