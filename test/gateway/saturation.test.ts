import { expect, onTestFinished, test } from 'vitest';
import { defaultLimits } from '../../src/shared/limits/limit-settings.js';
import { startGateway } from '../support/gateway.js';
import { answerSample, startUpstream } from '../support/upstream.js';

/** Keeps this thread busy, and with it the gateway. */
function work(ms: number): void {
  const begun = performance.now();
  while (performance.now() - begun < ms);
}

test('a gateway that has more to do than it can refuses the greedy in part, and serves the polite meanwhile', async () => {
  const upstream = await startUpstream(async (res, seen) => {
    work(1);
    await answerSample(res, seen);
  });
  const gateway = await startGateway({
    serviceUrl: upstream.url,
    limits: { ...defaultLimits, atOncePerCredential: 40, maxWaitMs: 60_000 },
  });
  onTestFinished(async () => {
    await gateway.close();
    await upstream.close();
  });
  const call = async (key: string) => {
    const answer = await fetch(`${gateway.url}/trpc/projects.list`, { headers: { authorization: `Bearer ${key}` } });
    await answer.text();
    return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')) };
  };
  let open = 0;
  const greedy = Array.from({ length: 200 }, async () => {
    open += 1;
    const answer = await call('greedy');
    open -= 1;
    return answer;
  });
  expect((await call('polite')).status).toBe(200);
  // It came last, and was not served last.
  expect(open).toBeGreaterThan(0);
  for (let n = 0; n < 9; n += 1) expect((await call('polite')).status).toBe(200);
  const answers = await Promise.all(greedy);
  const done = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  expect(done.length + refused.length).toBe(200);
  expect(done.length).toBeGreaterThanOrEqual(40);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(({ retryAfter }) => retryAfter >= 1)).toBe(true);
});
