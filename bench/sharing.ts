/**
 * What one key that asks for twice what the server can do leaves to itself and to others. Measures the capacity (32 callers, one
 * after the other each), then sends twice as many calls from one key, while another organisation calls twice a second.
 *
 *   npm run bench sharing -- [seconds]
 *
 * Uses the embedded database, or the one of DATABASE_URL, which should be empty. OPERATOR_KEY is set for the run.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { buildService, startServiceProcess } from './support/service-process.js';
import { type Client, clientOf, closedLoop, type Ended, openLoop } from './support/sharing-load.js';

const seconds = Number(process.argv[2] ?? 60);
const operatorKey = randomBytes(32).toString('hex');
process.env['OPERATOR_KEY'] = operatorKey;

const firstRun = z.object({ keys: z.object({ read_only: z.string() }) });

async function send<T>(url: string, credential: string, body: object, answer: z.ZodType<T>): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return answer.parse(await response.json());
}

/** An API key of a further organisation. */
async function otherKey(url: string): Promise<string> {
  const admin = { email: 'polite@example.com', name: 'Polite', password: randomBytes(12).toString('hex') };
  await send(`${url}/api/operator/organisations`, operatorKey, { name: 'Polite', plan: 'Free', admin }, z.unknown());
  const { email, password } = admin;
  const { token } = await send(`${url}/api/session`, '', { email, password }, z.object({ token: z.string() }));
  const key = await send(
    `${url}/api/org/api-keys`,
    token,
    { name: 'polite', scope: 'ReadOnly' },
    z.object({ key: z.string() }),
  );
  return key.key;
}

function report(name: string, ended: readonly Ended[], overSeconds: number): number {
  const of = (outcome: Ended['outcome']) => ended.filter((each) => each.outcome === outcome);
  const [done, refused, failed] = [of('done'), of('refused'), of('failed')];
  const perSecond = done.length / overSeconds;
  console.log(
    `${name.padEnd(34)} ${perSecond.toFixed(1).padStart(6)} done/s  p50 ${ms(done, 0.5)}  p99 ${ms(done, 0.99)}   ` +
      `refused ${String(refused.length).padStart(5)} (p99 ${ms(refused, 0.99)})   failed ${failed.length} of ${ended.length}`,
  );
  return perSecond;
}

function ms(ended: readonly Ended[], part: number): string {
  const sorted = ended.map((each) => each.ms).toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return `${value === undefined ? '-' : value.toFixed(0)} ms`.padStart(8);
}

const program = await buildService();
const dataDir = await mkdtemp(path.join(tmpdir(), 'postern-sharing-'));
const service = await startServiceProcess(program, dataDir);
const clients: Client[] = [];
try {
  const { keys } = firstRun.parse(JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8')));
  const greedy = clientOf(service.url, keys.read_only);
  const polite = clientOf(service.url, await otherKey(service.url));
  clients.push(greedy, polite);
  const quarter = Math.max(5, seconds / 4);
  await closedLoop(greedy.composite, 8, 5);
  report('calm, GET /api/org', await openLoop(polite.small, 2, quarter), quarter);
  report('calm, get_top_risks', await openLoop(polite.composite, 2, quarter), quarter);
  const capacity = report('capacity: 32 callers', await closedLoop(greedy.composite, 32, quarter), quarter);
  const cpuBefore = service.cpuSeconds();
  const [flood, small, composite] = await Promise.all([
    openLoop(greedy.composite, 2 * capacity, seconds),
    openLoop(polite.small, 2, seconds),
    openLoop(polite.composite, 2, seconds),
  ]);
  const done = report('one key at twice the capacity', flood, seconds);
  report('another organisation, GET /api/org', small, seconds);
  report('another organisation, get_top_risks', composite, seconds);
  console.log(
    `${Math.round((100 * done) / capacity)} % of the capacity is done, with ${(service.cpuSeconds() - cpuBefore).toFixed(0)} s of processor time. ${service.memory().now.toFixed(0)} MB.`,
  );
} finally {
  for (const client of clients) await client.close();
  await service.close();
  await rm(dataDir, { recursive: true });
}
