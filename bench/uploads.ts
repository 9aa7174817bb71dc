/**
 * The cost of uploading a large report to a running service: time, processor time, memory above idle, and how long a small
 * request waits meanwhile. Then the same report without one of its entries. Each report has a new process, on the embedded
 * database or on that of DATABASE_URL (which must be empty). Arguments choose megabytes and kinds:
 * `npm run bench uploads 60 SARIF`. `npm run bench uploads attacks` sends reports that try to take the service from others.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { attacks } from './support/attacks.js';
import { type LargeReport, largeReport, reportKinds } from './support/large-reports.js';
import { repeatDuring } from './support/repeat-during.js';
import { buildService, type ServiceProcess, startServiceProcess } from './support/service-process.js';

const chosen = process.argv.slice(2);
const chosenSizes = chosen.flatMap((argument) => (/^\d+$/.test(argument) ? Number(argument) : []));
const chosenNames = chosen.filter((argument) => !/^\d+$/.test(argument)).map((name) => name.toLowerCase());
const sizes = chosenSizes.length === 0 ? [1, 10, 60] : chosenSizes;
const kinds = reportKinds.filter(
  ({ name }) => chosenNames.length === 0 || chosenNames.some((part) => name.toLowerCase().includes(part)),
);

interface Upload {
  readonly to: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer<ArrayBuffer>;
}

/** Uploads the report, and measures a small request again and again until the upload is answered. */
async function measure(service: ServiceProcess, { to, headers, body }: Upload) {
  const { now: idle } = service.memory();
  service.forgetPeak();
  const [begun, cpuBefore] = [performance.now(), service.cpuSeconds()];
  const send = async (each: string) => {
    const answer = await fetch(each, { method: 'POST', headers: { ...headers, prefer: 'wait=60' }, body });
    return { status: answer.status, text: await answer.text() };
  };
  const upload = async () => {
    const answers = await Promise.all(uploadsOf(to).map(send));
    return { answers, seconds: (performance.now() - begun) / 1000, cpu: service.cpuSeconds() - cpuBefore };
  };
  const { result, samples } = await repeatDuring(upload, () => smallRequest(service, headers));
  const failed = result.answers.find(({ status }) => status !== 200);
  if (failed !== undefined) throw new Error(`${failed.status}: ${failed.text.slice(0, 500)}`);
  return { ...result, idle, peak: service.memory().peak, wait: Math.max(...samples) };
}

/** CONCURRENT_UPLOADS is the number of times that the report is sent at once. */
function uploadsOf(to: string): string[] {
  return Array.from({ length: Number(process.env['CONCURRENT_UPLOADS'] ?? 1) }, () => to);
}

async function smallRequest({ url }: ServiceProcess, { authorization = '' }: Upload['headers']): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(`${url}/api/org`, { headers: { authorization } });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`the small request got ${answer.status}`);
  return performance.now() - begun;
}

async function newProject({ url }: ServiceProcess, headers: Upload['headers'], name: string): Promise<string> {
  const body = JSON.stringify({ name: `${name} ${Date.now()}` });
  const answer = await fetch(`${url}/api/projects`, { method: 'POST', headers, body });
  const { id } = Object(await answer.json());
  if (typeof id !== 'string') throw new Error(`no project: ${answer.status}`);
  return id;
}

async function benchReport(program: string, kind: (typeof kinds)[number], { bytes, withoutOne, entries }: LargeReport) {
  const service = await startServiceProcess(program, dataDir);
  try {
    const { keys } = JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8'));
    const authorization = `Bearer ${keys.read_write}`;
    const json = { authorization, 'content-type': 'application/json' };
    const project = await newProject(service, json, kind.name);
    for (let warm = 0; warm < 5; warm++) await smallRequest(service, json);
    const to = `${service.url}/api/projects/${project}/${kind.path}`;
    const headers = { authorization, 'content-type': kind.type };
    const title = `${kind.name}, ${(bytes.length / 1024 / 1024).toFixed(1)} MB, ${entries} entries`;
    for (const [name, body] of [
      [title, bytes],
      ['  one entry less', withoutOne],
    ] as const) {
      const { seconds, cpu, idle, peak, wait } = await measure(service, { to, headers, body });
      console.log(
        `${name.padEnd(36)} ${seconds.toFixed(1).padStart(6)} s, ${cpu.toFixed(1).padStart(5)} s of processor time  ${idle.toFixed(0).padStart(5)} MB idle, ` +
          `+${(peak - idle).toFixed(0).padStart(4)} MB at most  ${(wait / 1000).toFixed(2).padStart(6)} s longest wait of a small request`,
      );
    }
  } finally {
    await service.close();
  }
}

/** Sends an attack, and measures how long others wait and what memory is left. */
async function benchAttack(program: string, { name, body, times, status }: (typeof attacks)[number]) {
  const service = await startServiceProcess(program, dataDir);
  try {
    const { keys } = JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8'));
    const headers = {
      authorization: `Bearer ${keys.read_write}`,
      'content-type': 'application/json',
      prefer: 'wait=60',
    };
    const project = await newProject(service, headers, name);
    const to = `${service.url}/api/projects/${project}/sast/reports?source_repo=shop`;
    const bytes = body();
    for (let warm = 0; warm < 5; warm++) await smallRequest(service, headers);
    const { now: idle } = service.memory();
    service.forgetPeak();
    const begun = performance.now();
    const send = async () => {
      const answer = await fetch(to, { method: 'POST', headers, body: bytes });
      await answer.arrayBuffer();
      return answer.status;
    };
    const health: number[] = [];
    const { result, samples } = await repeatDuring(
      () => Promise.all(Array.from({ length: times }, send)),
      async () => {
        const asked = performance.now();
        await (await fetch(`${service.url}/healthz`)).arrayBuffer();
        health.push(performance.now() - asked);
        return smallRequest(service, headers);
      },
    );
    const seconds = (performance.now() - begun) / 1000;
    await delay(5000);
    const { now, peak } = service.memory();
    const answered = result.every((each) => each === status) ? `${status}` : `${result.join()} for ${status}`;
    console.log(
      `${name.padEnd(30)} ${answered}  ${seconds.toFixed(1).padStart(6)} s  longest waits: ${Math.max(...health).toFixed(0)} ms /healthz, ` +
        `${Math.max(...samples).toFixed(0)} ms a small request  ${idle.toFixed(0)} MB idle, +${(peak - idle).toFixed(0)} MB at most, +${(now - idle).toFixed(0)} MB left`,
    );
  } finally {
    await service.close();
  }
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'postern-bench-'));
try {
  const program = await buildService();
  // The first run fills the database, which takes more memory than a later start.
  await (await startServiceProcess(program, dataDir)).close();
  if (chosenNames.includes('attacks')) for (const attack of attacks) await benchAttack(program, attack);
  for (const kind of kinds) {
    const bytes = new Set(sizes.map((size) => Math.min(size * 1024 * 1024, kind.maxBytes)));
    for (const size of bytes) await benchReport(program, kind, largeReport(kind.form, size));
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
