import { expect, test } from 'vitest';
import { TypicalDuration } from '../../../src/shared/limits/queue-key.js';

function typicalOf(durations: readonly number[]): number {
  const typical = new TypicalDuration();
  for (const ms of durations) typical.add(ms);
  return typical.ms;
}

const many = (count: number, ms: number) => Array.from({ length: count }, () => ms);

test('is nothing before there are five durations', () => {
  expect(typicalOf([])).toBe(0);
  expect(typicalOf(many(4, 300))).toBe(0);
  expect(typicalOf(many(5, 300))).toBe(300);
});

test('is the median of the newest nine', () => {
  expect(typicalOf([1, 2, 3, 4, 5, 6, 7, 8, 9])).toBe(5);
  expect(typicalOf([900, 800, 9, 8, 7, 6, 5, 4, 3, 2, 1])).toBe(5);
  expect(typicalOf([10, 2, 33, 4, 50, 6])).toBe(4);
});

test('some that are far longer than usual do not change it, also where they come first', () => {
  expect(typicalOf([...many(20, 10), ...many(4, 60_000)])).toBe(10);
  expect(typicalOf([60_000, 60_000, ...many(5, 10)])).toBe(10);
});

test('follows when all get longer or shorter', () => {
  expect(typicalOf([...many(20, 10), ...many(5, 1_000)])).toBe(1_000);
  expect(typicalOf([...many(20, 1_000), ...many(5, 10)])).toBe(10);
});
