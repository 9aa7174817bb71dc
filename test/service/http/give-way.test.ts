import { expect, test } from 'vitest';
import { givingWay } from '../../../src/service/http/give-way.js';

test('a long loop lets others have their turn', async () => {
  let othersTurn = false;
  setImmediate(() => {
    othersTurn = true;
  });
  const giveWay = givingWay();
  const end = performance.now() + 5_000;
  while (!othersTurn && performance.now() < end) await giveWay();
  expect(othersTurn).toBe(true);
});
