/**
 * Large writes to one project's dependencies: an SBOM, a sync, usage reports and a feed. Prints the time of another organisation's
 * `GET /api/org` meanwhile, the longest transactions and the processor time. Uses the embedded database, or that of
 * DATABASE_URL (which should be empty).
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { procedures } from '../src/procedures/index.js';
import { type Bound, perform, readInput } from '../src/service/api/perform.js';
import { createServiceApp } from '../src/service/app.js';
import { hashSecret, makeApiKey } from '../src/service/auth/api-key.js';
import type { Caller } from '../src/service/auth/caller.js';
import type { Database } from '../src/service/db/database.js';
import { openDatabase } from '../src/service/db/open.js';
import { reachabilityHandlers } from '../src/service/reachability/handlers.js';
import { openReceiptSigner } from '../src/service/receipts/signer.js';
import { createSecretBox } from '../src/service/secrets/secret-box.js';
import { techStackHandlers } from '../src/service/tech-stack/handlers.js';
import { UploadJobs } from '../src/service/uploads/upload-jobs.js';
import { largeSbom, largeSync, largeUsageReport, storeAdvisories } from './support/large-stack.js';
import { listen } from './support/listen.js';
import { repeatDuring } from './support/repeat-during.js';
import { buildService } from './support/service-process.js';

const databaseUrl = process.env['DATABASE_URL'];
const dataDir = await mkdtemp(path.join(tmpdir(), 'postern-bench-'));
const workerUrl = pathToFileURL(path.join(path.dirname(await buildService()), 'database-worker.js'));
const opened = await openDatabase(databaseUrl === undefined ? { dataDir, workerUrl } : { databaseUrl });

/** Milliseconds of each transaction since they were last forgotten. */
const transactions: number[] = [];
async function recorded<T>(transact: (started: () => void) => Promise<T>): Promise<T> {
  let begun = performance.now();
  try {
    return await transact(() => {
      begun = performance.now();
    });
  } finally {
    transactions.push(performance.now() - begun);
  }
}
const database: Database = {
  requestWaitMs: opened.requestWaitMs,
  oneTransactionMs: opened.oneTransactionMs,
  tenant: (organisation, work, options) =>
    recorded((started) =>
      opened.tenant(
        organisation,
        (tx) => {
          started();
          return work(tx);
        },
        options,
      ),
    ),
  statements: (work, lane) => opened.statements(work, lane),
  read: (tenant, work, options) =>
    recorded((started) =>
      opened.read(
        tenant,
        (tx) => {
          started();
          return work(tx);
        },
        options,
      ),
    ),
  system: (work) =>
    recorded((started) =>
      opened.system((tx) => {
        started();
        return work(tx);
      }),
    ),
  close: () => opened.close(),
  share: () => opened.share(),
  callersRevision: () => opened.callersRevision(),
  load: () => opened.load(),
};

async function newOrganisation(name: string): Promise<{ readonly id: string; readonly key: string }> {
  const [id, key] = [`org_${randomUUID()}`, makeApiKey()];
  await database.system(async (tx) => {
    await tx.insertInto('organisations').values({ id, name, plan: 'Business' }).execute();
    await tx
      .insertInto('api_keys')
      .values({
        ...{ organisation_id: id, id: `key_${name}`, name, scope: 'ReadWrite', key_hash: hashSecret(key) },
        ...{ last_four: key.slice(-4), created_by: 'bench' },
      })
      .execute();
  });
  return { id, key };
}

const logger = pino({ level: 'silent' });
const uploads = new UploadJobs({ database, logger, folder: path.join(dataDir, 'uploads'), isSole: true });
const { app } = createServiceApp({
  ...{ database, logger, uploads },
  ...{
    jwtKeys: [randomBytes(32)],
    secrets: createSecretBox(randomBytes(32)),
    operatorKey: randomBytes(32).toString('hex'),
    receipts: await openReceiptSigner({ database, wrapping: [], issuer: () => '', version: '' }),
  },
});
const { server, url } = await listen(app);
const { techStack, reachability } = procedures;
const sbomUpload: Bound = {
  name: 'techStack.uploadSbom',
  procedure: techStack.uploadSbom,
  handler: techStackHandlers.uploadSbom,
};
const stackSync: Bound = { name: 'techStack.sync', procedure: techStack.sync, handler: techStackHandlers.sync };
const usageUpload: Bound = {
  name: 'reachability.uploadUsageReport',
  procedure: reachability.uploadUsageReport,
  handler: reachabilityHandlers.uploadUsageReport,
};
const [writer, reader] = [await newOrganisation('writer'), await newOrganisation('reader')];
const caller: Caller = {
  ...{ kind: 'api_key', organisationId: writer.id, plan: 'Business', id: 'key_writer', name: 'writer' },
  ...{ scope: 'ReadWrite', expiresAt: null, projectIds: null },
};

async function read(): Promise<number> {
  const begun = performance.now();
  const response = await fetch(`${url}/api/org`, { headers: { authorization: `Bearer ${reader.key}` } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`the reader got ${response.status}`);
  return performance.now() - begun;
}

function quantiles(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0);
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)} ms`;
}

async function measure(name: string, work: () => Promise<string>): Promise<void> {
  transactions.length = 0;
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const { result, samples } = await repeatDuring(work, read);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const { user, system } = process.cpuUsage(cpu);
  const longest = transactions.toSorted((a, b) => b - a).slice(0, 8);
  console.log(
    `${name}: ${seconds} s, ${((user + system) / 1e6).toFixed(1)} s of processor time; reader ${quantiles(samples)};\n` +
      `  ${transactions.length} transactions, the longest ${longest.map((ms) => ms.toFixed(0)).join(' ')} ms\n  ${result.slice(0, 300)}`,
  );
}

/** Uploads in this thread, as a worker does it: so its transactions are seen here. */
async function upload(bound: Bound, project: string, body: string): Promise<string> {
  const request = {
    path: { project_id: project },
    query: {},
    caller,
    ip: null,
    device: null,
    requestId: 'bench',
    idempotency: null,
  };
  const read = await readInput(bound, request, JSON.parse(body));
  const { answer } = await perform(database, bound, request, read);
  return JSON.stringify(answer);
}

async function post(to: string, body: string): Promise<string> {
  const response = await fetch(`${url}${to}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${writer.key}`, 'content-type': 'application/json' },
    body,
  });
  return `${response.status} ${(await response.text()).slice(0, 250)}`;
}

try {
  await database.system((tx) => storeAdvisories(tx, 20_000));
  const { id: project } = JSON.parse((await post('/api/projects', JSON.stringify({ name: 'large' }))).slice(4));
  for (let warm = 0; warm < 20; warm++) await read();
  await measure('calm', async () => {
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    return '';
  });
  const components = Number(process.argv[2] ?? 50_000);
  const sbom = largeSbom(components);
  await measure('SBOM', () => upload(sbomUpload, project, sbom));
  await measure('the same SBOM', () => upload(sbomUpload, project, sbom));
  const sync = largeSync('package-lock.json', Math.floor(components / 2));
  await measure('sync of half as many', () => upload(stackSync, project, sync));
  const used = Math.floor(components / 4);
  await measure('usage report of a quarter', () => upload(usageUpload, project, largeUsageReport(used, 0)));
  await measure('another report', () => upload(usageUpload, project, largeUsageReport(used, 1)));
} finally {
  server.closeAllConnections();
  server.close();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
}
