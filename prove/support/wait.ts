import { setTimeout as sleep } from 'node:timers/promises';

/** Asks every 200 ms until `ask` answers something else than undefined; undefined once `limitMs` have passed. */
export async function waitFor<Answer>(
  ask: () => Promise<Answer | undefined> | Answer | undefined,
  limitMs: number,
): Promise<Answer | undefined> {
  const end = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || performance.now() > end) return answer;
    await sleep(200);
  }
}
