/**
 * How long another organisation waits while a large report lands: `GET /api/org` every 50 ms, calm and during an upload of
 * 60,000 and of 20,000 new findings, and during the same upload without one of them. On the embedded database, or on that
 * of DATABASE_URL (which must be empty). Arguments choose sizes: `npm run bench landing 20000`.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { buildService, type ServiceProcess, startServiceProcess } from './support/service-process.js';

const everyMs = 50;
const calmCalls = 100;
const chosen = process.argv.slice(2).map(Number);
const sizes = chosen.length === 0 ? [20_000, 60_000] : chosen;

function sarif(findings: number): string {
  const results = Array.from({ length: findings }, (_, n) => ({
    ruleId: `rule-${n % 40}`,
    level: n % 3 === 0 ? 'error' : 'warning',
    message: { text: `A value from the request reaches a query, number ${n}` },
    locations: [
      { physicalLocation: { artifactLocation: { uri: `src/part-${n % 900}/file.ts` }, region: { startLine: n } } },
    ],
  }));
  return JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'checker' } }, results }] });
}

/** Calls every 50 ms, whatever the one before takes, until the work is done. */
async function callsDuring(service: ServiceProcess, key: string, work: Promise<unknown>): Promise<number[]> {
  let done = false;
  const ended = work.finally(() => {
    done = true;
  });
  const calls: Promise<number>[] = [];
  while (!done) {
    calls.push(call(service, key));
    await setTimeout(everyMs);
  }
  await ended;
  return (await Promise.all(calls)).sort((a, b) => a - b);
}

async function call({ url }: ServiceProcess, key: string): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(`${url}/api/org`, { headers: { authorization: `Bearer ${key}` } });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`GET /api/org: ${answer.status}`);
  return performance.now() - begun;
}

function spread(sorted: readonly number[]): string {
  const at = (part: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0);
  return `p50 ${at(0.5).padStart(5)} ms, p99 ${at(0.99).padStart(5)} ms, max ${at(1).padStart(5)} ms`;
}

/** The answer, of which only the texts matter. */
async function post(url: string, key: string, body: unknown): Promise<Record<string, unknown>> {
  // As long as a POST waits for its job at most.
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'wait=60' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(url, { method: 'POST', headers, body: text });
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
  return z.record(z.string(), z.unknown()).parse(await answer.json());
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'postern-bench-'));
const service = await startServiceProcess(await buildService(), dataDir);
try {
  const { keys } = JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8'));
  const operator = (await readFile(path.join(dataDir, 'operator.key'), 'utf8')).trim();
  const [email, password] = ['other@example.com', 'a long and rare pass phrase'];
  const admin = { email, name: 'Other', password };
  await post(`${service.url}/api/operator/organisations`, operator, { name: 'Other', plan: 'Free', admin });
  const { token } = await post(`${service.url}/api/session`, '', { email, password });
  const calm = await callsDuring(service, String(token), setTimeout(calmCalls * everyMs));
  console.log(`${'calm'.padEnd(34)} ${spread(calm)}`);
  for (const size of sizes) {
    const { id } = await post(`${service.url}/api/projects`, keys.read_write, { name: `Of ${size}` });
    const to = `${service.url}/api/projects/${id}/sast/reports?source_repo=shop`;
    for (const findings of [size, size - 1]) {
      const [begun, cpu] = [performance.now(), service.cpuSeconds()];
      const waits = await callsDuring(service, String(token), post(to, keys.read_write, sarif(findings)));
      const [seconds, used] = [(performance.now() - begun) / 1000, service.cpuSeconds() - cpu];
      const title = `${findings} findings${findings < size ? ', one less than before' : ''}`;
      console.log(
        `${title.padEnd(34)} ${spread(waits)}, ${seconds.toFixed(1)} s, ${used.toFixed(1)} s of processor time`,
      );
    }
  }
} finally {
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
}
