import { expect, test } from 'vitest';
import { Pace } from '../../../src/service/jobs/pace.js';

test('steps follow their time, within the limits', () => {
  const pace = new Pace({ first: 400, least: 200, most: 1_000 });
  expect(pace.rows).toBe(400);
  for (let step = 0; step < 10; step += 1) pace.took(pace.rows, 1);
  expect(pace.rows).toBe(1_000);
  pace.took(pace.rows, 50);
  expect(pace.rows).toBe(800);
});

test('a machine on which every step takes long does not make steps small: a transaction has a cost of its own', () => {
  const pace = new Pace({ first: 400, least: 200 });
  for (let step = 0; step < 20; step += 1) pace.took(pace.rows, 5_000);
  expect(pace.rows).toBe(200);
});
