import { expect, test } from 'vitest';
import { geometryOf, namedDays } from '../../../../src/web/components/chart/geometry.js';

const frame = { width: 400, height: 200 };

test('layers lie on each other, over the days that are known', () => {
  const { first, tops, y } = geometryOf(
    [
      { name: 'red', look: 'RED', values: [null, 2, 3] },
      { name: 'yellow', look: 'YELLOW', values: [null, 5, 1] },
    ],
    3,
    frame,
  );
  expect(first).toBe(1);
  expect(tops.map((points) => points.map((point) => [point.at, point.y]))).toEqual([
    [
      [1, y(2)],
      [2, y(3)],
    ],
    [
      [1, y(7)],
      [2, y(4)],
    ],
  ]);
});

test('nothing known is nothing drawn', () => {
  const { first, tops } = geometryOf([{ name: 'red', look: 'RED', values: [null, null] }], 2, frame);
  expect(first).toBeUndefined();
  expect(tops).toEqual([[]]);
});

test('the axis counts whole findings, also where there are few', () => {
  const { ticks } = geometryOf([{ name: 'red', look: 'RED', values: [0, 1] }], 2, frame);
  expect(ticks.every(Number.isInteger)).toBe(true);
  expect(ticks.at(0)).toBe(0);
});

test.each([8, 31, 91])('of %i days as many are named as there is room for, today among them', (days) => {
  const wide = namedDays(days, 700);
  const narrow = namedDays(days, 300);
  expect(wide.at(-1)).toBe(days - 1);
  expect(narrow.at(-1)).toBe(days - 1);
  expect(wide.length).toBeLessThanOrEqual(8);
  expect(narrow.length).toBeLessThanOrEqual(4);
});
