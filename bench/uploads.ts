/**
 * What the upload of a large report costs a running service: time, processor time, memory above idle, and how long a
 * small request waits meanwhile; then the same report without one of its entries. A process of its own for every report,
 * on the embedded database or on DATABASE_URL's (which must be empty). Arguments choose megabytes and kinds:
 * `npm run bench uploads 60 SARIF`.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type LargeReport, largeReport, reportKinds } from './support/large-reports.js';
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

/** Uploads, asking for the organisation again and again until the upload is answered. */
async function measure(service: ServiceProcess, { to, headers, body }: Upload) {
  const { now: idle } = service.memory();
  service.forgetPeak();
  const waits: number[] = [];
  let running = true;
  const reader = (async () => {
    while (running) {
      waits.push(await smallRequest(service, headers));
      await delay(20);
    }
  })();
  const [begun, cpuBefore] = [performance.now(), service.cpuSeconds()];
  const send = async (each: string) => {
    const answer = await fetch(each, { method: 'POST', headers, body });
    return { status: answer.status, text: await answer.text() };
  };
  const answers = await Promise.all(uploadsOf(to).map(send)).finally(() => {
    running = false;
  });
  const [seconds, cpu] = [(performance.now() - begun) / 1000, service.cpuSeconds() - cpuBefore];
  await reader;
  const failed = answers.find(({ status }) => status !== 200);
  if (failed !== undefined) throw new Error(`${failed.status}: ${failed.text.slice(0, 500)}`);
  return { seconds, cpu, idle, peak: service.memory().peak, wait: Math.max(...waits) };
}

/** UPLOADS_AT_ONCE says how many times it is sent at once. */
function uploadsOf(to: string): string[] {
  return Array.from({ length: Number(process.env['UPLOADS_AT_ONCE'] ?? 1) }, () => to);
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

async function benchReport(program: string, kind: (typeof kinds)[number], { bytes, oneLess, entries }: LargeReport) {
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
      ['  one entry less', oneLess],
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

const dataDir = await mkdtemp(path.join(tmpdir(), 'postern-bench-'));
try {
  const program = await buildService();
  // The first run fills the database, which takes more memory than a later start does.
  await (await startServiceProcess(program, dataDir)).close();
  for (const kind of kinds) {
    const bytes = new Set(sizes.map((size) => Math.min(size * 1024 * 1024, kind.mostBytes)));
    for (const size of bytes) await benchReport(program, kind, largeReport(kind.form, size));
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
