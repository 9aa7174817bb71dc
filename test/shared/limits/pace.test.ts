import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Pace } from '../../../src/shared/limits/pace.js';

test('a crowd begins one by one in order, with turns of the event loop between', async () => {
  const pace = new Pace({ perSecond: 0, burst: 0, turns: 5 });
  let turn = 0;
  let counting = true;
  const count = () => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const begun = await Promise.all(Array.from({ length: 8 }, (_, n) => pace.begin('a').then(() => ({ n, turn }))));
  counting = false;
  expect(begun.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  for (const [at, { turn: own }] of begun.entries()) {
    if (at > 0) expect(own - (begun[at - 1]?.turn ?? 0)).toBe(5);
  }
});

test('who comes later is let in before a crowd is worked off', async () => {
  const pace = new Pace({ perSecond: 0, burst: 10, turns: 10 });
  let done = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => {
      if (data.toString() === 'health') socket.end(String(done));
      else void pace.begin('a').then(() => (done += 1));
    });
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const open = (text: string) => {
    const socket = connect(address.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(text);
    return socket;
  };
  for (let n = 0; n < 100; n += 1) open('crowd');
  const [answer] = await once(open('health'), 'data');
  expect(Number(String(answer))).toBeLessThan(60);
});

test('few begin at once, and after a rest again as many', async () => {
  const pace = new Pace({ perSecond: 1_000, burst: 3, turns: 1_000_000 });
  await Promise.all([pace.begin('a'), pace.begin('a'), pace.begin('a')]);
  const restUntil = performance.now() + 10;
  while (performance.now() < restUntil);
  await Promise.all([pace.begin('a'), pace.begin('a'), pace.begin('a')]);
});

test('one caller’s crowd leaves another the next turn', async () => {
  const pace = new Pace({ perSecond: 0, burst: 0, turns: 2 });
  const begun: string[] = [];
  const all = [...Array.from({ length: 50 }, () => 'crowd'), 'polite'].map((who) =>
    pace.begin(who).then(() => begun.push(who)),
  );
  await Promise.all(all);
  expect(begun.indexOf('polite')).toBe(1);
});
