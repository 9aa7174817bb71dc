import { expect, test } from 'vitest';
import { InFlight } from '../../../src/shared/limits/in-flight.js';

const limit = { max: 2, of: 'one credential', retryAfterSeconds: 1 };

test('a key has so many calls under way, and not one more', () => {
  const calls = new InFlight(limit);
  const [leave] = [calls.enter('a'), calls.enter('a')];
  expect(() => calls.enter('a')).toThrow(/2 calls at once by one credential/);
  calls.enter('b');
  leave();
  calls.enter('a');
});

test('leaving twice frees one place', () => {
  const calls = new InFlight(limit);
  const [leave] = [calls.enter('a'), calls.enter('a')];
  leave();
  leave();
  calls.enter('a');
  expect(() => calls.enter('a')).toThrow();
});
