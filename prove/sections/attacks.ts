import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attacks/attack.js';
import { hangingReceivers } from '../attacks/hanging-receivers.js';
import { overload } from '../attacks/overload.js';
import { manySignIns, wrongPasswords } from '../attacks/sign-ins.js';
import { slowSockets } from '../attacks/slow-sockets.js';
import { manyComponents, manyFindings, valuesBomb } from '../attacks/uploads.js';
import { type Check, judged, notTried } from '../support/check.js';
import type { LocalProof } from '../support/proof.js';
import { waitFor } from '../support/wait.js';
import {
  startWatcher,
  type Times,
  timesOf,
  timesText,
  type WatchedCall,
  type WatchedCalls,
} from '../support/watcher.js';

/** Bounds for what others see during an attack, in milliseconds and megabytes. */
const bounds = { others: 200, health: 100, memory: 300 } as const;

/** How long others are watched at least, in milliseconds: the slowest one in a hundred calls needs a hundred. */
const leastWatchMs = 10_000;

/** How long memory may take to come back. */
const settleMs = 20_000;

// Those that leave the most behind come last.
const attacks: readonly Attack[] = [
  ...[wrongPasswords, manySignIns, hangingReceivers, slowSockets, overload],
  ...[manyComponents, manyFindings, valuesBomb],
];

/** Each attack while another organisation goes on working. */
export async function attacksWithOthers(proof: LocalProof): Promise<Check[]> {
  const calm = await watched(proof, () => sleep(proof.short ? 1_000 : 15_000));
  const checks: Check[] = [];
  for (const attack of attacks) {
    const isPossible = attack.platform === undefined || attack.platform === process.platform;
    checks.push(
      isPossible ? await underAttack(proof, attack, calm.calls) : notTried(attack, `only on ${attack.platform}`),
    );
  }
  return checks;
}

async function underAttack(proof: LocalProof, attack: Attack, calm: WatchedCalls): Promise<Check> {
  const { instance, short } = proof;
  const before = instance.memory();
  const { calls, result } = await watched(proof, async () => {
    const [result] = await Promise.all([attack.run(proof), short ? undefined : sleep(leastWatchMs)]);
    return result;
  });
  const died = instance.ended();
  if (died !== undefined) {
    const check = judged(attack, result.figures, [`the server ended: ${died}`]);
    await instance.restart();
    return check;
  }
  const faults = [...result.faults, ...(short ? [] : lateness(calls, calm)), ...failures(calls, short)];
  const memory = await memoryAfter(proof, before);
  if (!short && memory !== undefined && memory > bounds.memory)
    faults.push(`${Math.round(memory)} MB more than before`);
  const times = [
    `REST ${timesText(timesOf(calm.org))} -> ${timesText(timesOf(calls.org))}`,
    `MCP ${timesText(timesOf(calm.mcp))} -> ${timesText(timesOf(calls.mcp))}`,
    `/healthz ${timesText(timesOf(calls.health))} ms (p50/p99/max)`,
    ...(memory === undefined ? [] : [`memory ${memory < 0 ? '' : '+'}${Math.round(memory)} MB`]),
  ];
  return judged(attack, `${result.figures}; ${times.join(', ')}`, faults);
}

async function watched<Result>({ url, tenants }: LocalProof, work: () => Promise<Result>) {
  const watcher = await startWatcher({ url, key: tenants.Business.readKey });
  try {
    const result = await work();
    return { result, calls: await watcher.stop() };
  } catch (error) {
    await watcher.stop();
    throw error;
  }
}

function lateness(calls: WatchedCalls, calm: WatchedCalls): string[] {
  const late = (name: string, { p99 }: Times, bound: number) =>
    p99 <= bound ? [] : [`${name}: p99 ${Math.round(p99)} ms, bound ${Math.round(bound)}`];
  const boundOf = (list: readonly WatchedCall[]) => Math.max(bounds.others, 2 * timesOf(list).p99);
  return [
    ...late("another's GET /api/org", timesOf(calls.org), boundOf(calm.org)),
    ...late("another's list_projects", timesOf(calls.mcp), boundOf(calm.mcp)),
    ...late('/healthz', timesOf(calls.health), bounds.health),
  ];
}

/**
 * Calls of another that failed. In the short form one that is late or refused as too busy is none, as long as others are
 * answered: a loaded machine makes calls late.
 */
function failures(calls: WatchedCalls, short: boolean): string[] {
  return Object.entries(calls).flatMap(([name, list]) => {
    const failed = list.filter(({ outcome }) => outcome === 'failed' || (!short && outcome !== 'good'));
    const statuses = [...new Set(failed.map(({ outcome, status }) => `${outcome} ${status}`))].join(', ');
    if (!list.some(({ outcome }) => outcome === 'good'))
      return [`none of ${list.length} ${name} calls of another was good`];
    return failed.length === 0
      ? []
      : [`${failed.length} of ${list.length} ${name} calls of another failed: ${statuses}`];
  });
}

/** Megabytes above those before, once they are within the bound or the time is over. */
async function memoryAfter({ instance, short }: LocalProof, before: number | undefined): Promise<number | undefined> {
  const above = () => {
    const now = instance.memory();
    return now === undefined || before === undefined ? undefined : now - before;
  };
  if (short || above() === undefined) return above();
  await waitFor(() => ((above() ?? 0) <= bounds.memory ? true : undefined), settleMs);
  return above();
}
