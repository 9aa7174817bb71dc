import { expect, test } from 'vitest';
import { DurationAverage } from '../../../src/shared/limits/duration-average.js';

function averageOf(durations: readonly number[]): number {
  const average = new DurationAverage();
  for (const ms of durations) average.add(ms);
  return average.ms;
}

const many = (count: number, ms: number) => Array.from({ length: count }, () => ms);

test('is nothing before the first duration, and then that one', () => {
  expect(averageOf([])).toBe(0);
  expect(averageOf([300])).toBe(300);
});

test('one that is far longer than usual hardly changes it', () => {
  expect(averageOf([...many(20, 10), 60_000])).toBeLessThan(20);
});

test('follows when all get longer or shorter', () => {
  expect(averageOf([...many(20, 10), ...many(60, 1_000)])).toBeGreaterThan(800);
  expect(averageOf([...many(20, 1_000), ...many(60, 10)])).toBeLessThan(20);
});
