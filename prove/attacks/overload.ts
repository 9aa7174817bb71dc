import { setTimeout as sleep } from 'node:timers/promises';
import { callTool } from '../support/doors.js';
import type { Answer } from '../support/http.js';
import { type Attack, countStatuses, refusalFaults } from './attack.js';

/** The part of the capacity that must still be done when twice as much is asked for. */
const leastDone = 0.8;

/** One key at twice what the server can do. In the short form just many calls at once, without a rate. */
export const overload: Attack = {
  row: 'API4',
  name: 'twice the capacity',
  run: async ({ url, short, tenants }) => {
    const key = tenants.Free.writeKey;
    const one = () => callTool(url, key, 'get_posture_summary', {});
    if (short) {
      const answers = await Promise.all(Array.from({ length: 150 }, one));
      return { figures: countStatuses(answers), faults: refusalFaults(answers) };
    }
    const capacity = await closedLoop(one, 8_000);
    const seconds = 30;
    const { answers, done } = await openLoop(one, capacity * 2, seconds);
    const rate = done / seconds;
    const faults = [
      ...(rate >= capacity * leastDone ? [] : [`${rate.toFixed(1)} of ${capacity.toFixed(1)} calls/s were done`]),
      ...refusalFaults(answers),
    ];
    const figures = `capacity ${capacity.toFixed(1)}/s, done ${rate.toFixed(1)}/s at twice that: ${countStatuses(answers)}`;
    return { figures, faults };
  },
};

/** Good answers a second, with enough calls under way to keep the server busy, and no more than it takes. */
async function closedLoop(one: () => Promise<Answer>, ms: number): Promise<number> {
  const begun = performance.now();
  let good = 0;
  const worker = async () => {
    while (performance.now() - begun < ms) {
      const answer = await one();
      if (isDone(answer)) good += 1;
      // What is refused does not count; asking again at once would measure refusals.
      else await sleep(50);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return good / ((performance.now() - begun) / 1000);
}

/** Calls at a rate, whether or not earlier ones are answered. */
async function openLoop(one: () => Promise<Answer>, perSecond: number, seconds: number) {
  const begun = performance.now();
  const sent: Promise<Answer>[] = [];
  while (performance.now() - begun < seconds * 1000) {
    const due = ((performance.now() - begun) / 1000) * perSecond;
    while (sent.length < due) sent.push(one());
    await sleep(10);
  }
  const answers = await Promise.all(sent);
  return { answers, done: answers.filter(isDone).length };
}

/** A composite of which a part was refused is not done. */
function isDone({ status, text }: Answer): boolean {
  return status === 200 && text.includes('structuredContent') && !text.includes('"reason":"unavailable"');
}
