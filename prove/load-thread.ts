/**
 * One key at twice what the server can do, in a thread of its own so that neither the program nor the polite caller slows it.
 * It posts the figures when it has ended.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { callTool, outcomeOf } from './support/doors.js';
import { type Flood, type Load, loadOrder } from './support/load.js';

const { url, key } = loadOrder.parse(workerData);

const warmUpMs = 4_000;
const capacityMs = 8_000;
const floodMs = 20_000;
/** Calls under way that keep a server busy. */
const maxOpen = 12;
/** How much more than the capacity a flood may get done. With more, the capacity was taken for less than it is. */
const tolerance = 1.1;
const maxFloods = 3;

type Outcome = 'done' | 'partial' | 'refused' | 'bare' | 'failed';

/** A composite is only done with all its parts. */
async function ask(): Promise<Outcome> {
  const answer = await callTool(url, key, 'get_posture_summary', {});
  const outcome = outcomeOf('mcp', answer);
  if (outcome === 'ok') return answer.text.includes('"reason":"unavailable"') ? 'partial' : 'done';
  if (outcome !== 'busy') return 'failed';
  // A tool's error has the time in its words.
  return answer.retryAfter === undefined && !/\bretry after \d+ s\b/.test(answer.text) ? 'bare' : 'refused';
}

/** Good answers a second, with enough calls under way to keep the server busy, and no more than it takes. */
async function closedLoop(ms: number): Promise<number> {
  const begun = performance.now();
  let good = 0;
  const caller = async () => {
    while (performance.now() - begun < ms) {
      if ((await ask()) === 'done') good += 1;
      // What is refused does not count; asking again at once would measure refusals.
      else await sleep(50);
    }
  };
  await Promise.all(Array.from({ length: maxOpen }, caller));
  return good / ((performance.now() - begun) / 1000);
}

/** Calls at a rate, whether or not earlier ones are answered. */
async function openLoop(perSecond: number, ms: number): Promise<Flood> {
  const begun = performance.now();
  const counts = { done: 0, partial: 0, refused: 0, bare: 0, failed: 0 };
  const refusedAfter: number[] = [];
  const open: Promise<void>[] = [];
  const one = async () => {
    const sent = performance.now();
    const outcome = await ask();
    counts[outcome] += 1;
    if (outcome === 'refused') refusedAfter.push(performance.now() - sent);
  };
  while (performance.now() - begun < ms) {
    const due = ((performance.now() - begun) / 1000) * perSecond;
    while (open.length < due) open.push(one());
    await sleep(10);
  }
  await Promise.all(open);
  const seconds = (performance.now() - begun) / 1000;
  const sorted = refusedAfter.toSorted((a, b) => a - b);
  return { ...counts, donePerSecond: counts.done / seconds, refusedAfterMs: sorted[sorted.length >> 1] ?? 0 };
}

async function overload(): Promise<Load> {
  await closedLoop(warmUpMs);
  let capacity = await closedLoop(capacityMs);
  for (let floods = 1; ; floods += 1) {
    const flood = await openLoop(capacity * 2, floodMs);
    if (flood.donePerSecond <= capacity * tolerance || floods === maxFloods) return { capacity, flood };
    capacity = flood.donePerSecond;
  }
}

parentPort?.postMessage(await overload());
