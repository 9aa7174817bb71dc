import { expect, test } from 'vitest';
import { hashingLimits } from '../../../src/service/auth/hashing.js';
import { apiErrorOf } from '../../../src/service/http/problem-answer.js';
import { FairQueue } from '../../../src/shared/limits/fair-queue.js';

test('a crowd whose passwords are hashed is refused with 503 and Retry-After, and others are not', async () => {
  const queue = new FairQueue(hashingLimits);
  const never = () => new Promise<void>(() => {});
  const crowd = Array.from({ length: hashingLimits.maxRunning + 32 }, () =>
    queue.run('crowd', never).catch(apiErrorOf),
  );
  const refused = await queue.run('crowd', never).catch(apiErrorOf);
  expect(refused).toMatchObject({
    code: 'unavailable',
    details: { detail: 'too many passwords are being checked: send it again in 2 s', retryAfterSeconds: 2 },
  });
  for (let n = 0; n < 40; n += 1) void queue.run(`other ${n}`, never).catch(() => {});
  expect(queue.load.waiting).toBe(hashingLimits.maxWaiting);
  expect(await crowd.at(-1)).toMatchObject({ code: 'unavailable' });
});
