import { expect, test } from 'vitest';
import { rateLimitFields } from '../../../src/shared/limits/refusal.js';

test('the fields name each limit with its quota, window, rest and reset', () => {
  const standings = [
    { policy: 'credential', quota: 1000, windowSeconds: 10, remaining: 998, resetSeconds: 7 },
    { policy: 'organisation', quota: 3000, windowSeconds: 10, remaining: 0, resetSeconds: 10 },
  ];
  expect(rateLimitFields(standings)).toEqual({
    'RateLimit-Policy': '"credential";q=1000;w=10, "organisation";q=3000;w=10',
    RateLimit: '"credential";r=998;t=7, "organisation";r=0;t=10',
  });
});

test('without limits there are no fields', () => {
  expect(rateLimitFields([])).toEqual({});
});
