import { expect, test } from 'vitest';
import { yieldToEventLoop } from '../../../src/shared/async/yield-to-event-loop.js';

test('a long loop lets others have their turn', async () => {
  let othersTurn = false;
  setImmediate(() => {
    othersTurn = true;
  });
  const yieldNow = yieldToEventLoop();
  const end = performance.now() + 60_000;
  while (!othersTurn && performance.now() < end) await yieldNow();
  expect(othersTurn).toBe(true);
});
