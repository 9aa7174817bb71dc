import { expect, test } from 'vitest';
import { inTurn } from '../../../../src/web/pages/uploads/in-turn.js';

test('two files are sent at once, and one that fails gives its place to the next', async () => {
  const events: string[] = [];
  const held = [0, 1, 2, 3].map((number) => {
    let finish = (_result: number | Promise<number>) => {};
    const result = new Promise<number>((resolve) => {
      finish = resolve;
    });
    const task = () => {
      events.push(`begins ${number}`);
      return result;
    };
    const done = inTurn(task);
    return { done, resolve: () => finish(number), fail: () => finish(Promise.reject(new Error('refused'))) };
  });
  const [first, second, third, fourth] = held;
  expect(events).toEqual(['begins 0', 'begins 1']);
  second?.fail();
  await expect(second?.done).rejects.toThrow('refused');
  expect(events).toEqual(['begins 0', 'begins 1', 'begins 2']);
  first?.resolve();
  third?.resolve();
  await expect(Promise.all([first?.done, third?.done])).resolves.toEqual([0, 2]);
  fourth?.resolve();
  await expect(fourth?.done).resolves.toBe(3);
});
