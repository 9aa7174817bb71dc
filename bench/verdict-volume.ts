/**
 * A large usage report in a project of 100,000 alerts: time and memory of the recomputation, and the time of the first page
 * of alerts meanwhile. Uses the embedded database, or that of DATABASE_URL (which should be empty).
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { pino } from 'pino';
import { createServiceApp } from '../src/service/app.js';
import { continueAssessments } from '../src/service/assessment/continue-assessments.js';
import { hashSecret, makeApiKey } from '../src/service/auth/api-key.js';
import type { Database } from '../src/service/db/database.js';
import { openDatabase } from '../src/service/db/open.js';
import { openReceiptSigner } from '../src/service/receipts/signer.js';
import { createSecretBox } from '../src/service/secrets/secret-box.js';
import { UploadJobs } from '../src/service/uploads/upload-jobs.js';
import { listen } from './support/listen.js';
import { repeatDuring } from './support/repeat-during.js';

const alertCount = 100_000;
const packageCount = 20_500;
const project = 'prj_volume';

const databaseUrl = process.env['DATABASE_URL'];
const dataDir = await mkdtemp(path.join(tmpdir(), 'postern-bench-'));
const workerUrl = pathToFileURL(path.resolve('dist/database-worker.js'));
const database = await openDatabase(databaseUrl === undefined ? { dataDir, workerUrl } : { databaseUrl });
const key = makeApiKey();

/** Creates an organisation with one project that has the alerts: five for most packages, of every score and tier. */
async function fill(into: Database): Promise<void> {
  const organisation_id = `org_${randomUUID()}`;
  await into.system(async (tx) => {
    await tx.insertInto('organisations').values({ id: organisation_id, name: 'volume', plan: 'Business' }).execute();
    await tx
      .insertInto('api_keys')
      .values({
        ...{ organisation_id, id: 'key_volume', name: 'volume', scope: 'ReadWrite', key_hash: hashSecret(key) },
        ...{ last_four: key.slice(-4), created_by: 'bench' },
      })
      .execute();
    await tx
      .insertInto('projects')
      .values({ organisation_id, id: project, name: 'volume', description: null, exposure: 'internet', repo: null })
      .execute();
    await sql`
      insert into alerts (organisation_id, id, project_id, vulnerability_id, ecosystem, package_name, advisory_ids, cves,
        title, versions, severity, cvss_version, cvss_score, cvss_vector, malicious, tier, turns)
      select ${organisation_id}, 'alr_' || md5(n::text), ${project}, 'CVE-2024-' || (10000 + n), 'npm',
        'package-' || (n % ${packageCount}::int), array['GHSA-' || n], array['CVE-2024-' || (10000 + n)],
        'A vulnerability of some package, number ' || n, array['1.' || (n % ${packageCount}::int) || '.0'], 'high', '3.1',
        (n % 100) / 10.0, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', false,
        (array['RED', 'YELLOW', 'GREEN'])[1 + n % 3], turn('{}', now())
      from generate_series(1, ${alertCount}::int) as n`.execute(tx);
    await sql`analyze alerts`.execute(tx);
  });
}

const uses = ['reached', 'imported', 'transitive', 'tooling', 'unused'] as const;

/** A report on every package, close to the limit of 8 MB. */
function reportOf(shift: number) {
  const dependencies = Array.from({ length: packageCount }, (_, n) => {
    const usage = uses[(n + shift) % uses.length] ?? 'unused';
    const imported = usage === 'reached' || usage === 'imported';
    return {
      ...{ purl: `pkg:npm/package-${n}@1.${n}.0`, scope: 'runtime', direct: false, usage },
      counts: { prod: imported ? 1 : 0, reached: 0, test: 0, config: 0, script: 0, type: 0, mock: 0 },
      sites: [],
      ...{ symbols: imported ? ['merge'] : [], symbols_complete: true, introduced_by: [], paths: [] },
      ...{ evidence: imported ? 'import' : 'none', truncated: false },
    };
  });
  const stats = { files: 1, bytes: 1, parse_errors: 0, skipped: 0, unresolved: 0, unknown_dynamic: 0, duration_ms: 1 };
  return JSON.stringify({
    ...{ schema: 'reach/1', tool: { name: 'bench', version: '1' }, generated_at: new Date().toISOString() },
    ...{ commit: null, lockfiles: [], stats, entries: [], complete: true, dependencies },
  });
}

const jwtKey = randomBytes(32);
const secrets = createSecretBox(randomBytes(32));
const operatorKey = randomBytes(32).toString('hex');
const logger = pino({ level: 'silent' });
const uploads = new UploadJobs({ database, logger, folder: path.join(dataDir, 'uploads'), isSole: true });
const receipts = await openReceiptSigner({ database, wrapping: [], issuer: () => '', version: '' });
const { app } = createServiceApp({ database, jwtKeys: [jwtKey], secrets, receipts, operatorKey, logger, uploads });
const { server, url } = await listen(app);
const base = `${url}/api/projects/${project}`;
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

async function firstPage(): Promise<number> {
  const begun = performance.now();
  const response = await fetch(`${base}/alerts`, { headers });
  const { items } = Object(await response.json());
  if (!Array.isArray(items) || items.length !== 25) throw new Error(`no page: ${response.status}`);
  return performance.now() - begun;
}

/** Uploads the report, and measures the first page again and again until all verdicts are recomputed. */
async function measure(name: string, report: string): Promise<void> {
  let peak = process.memoryUsage.rss();
  const before = peak;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  const upload = async () => {
    const begun = performance.now();
    const response = await fetch(`${base}/reachability/usage-reports`, { method: 'POST', headers, body: report });
    const answer = await response.text();
    await continueAssessments(database);
    return { status: response.status, answer, ms: performance.now() - begun };
  };
  const { result, samples } = await repeatDuring(upload, firstPage);
  clearInterval(sampler);
  const pages = samples.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(pages[Math.min(pages.length - 1, Math.floor(pages.length * part))] ?? 0);
  const [mb, beforeMb] = [peak, before].map((bytes) => Math.round(bytes / 1e6));
  console.log(
    `${name}: ${result.status} in ${Math.round(result.ms)} ms; resident memory ${beforeMb} -> at most ${mb} MB; ` +
      `first page meanwhile: ${pages.length} times, median ${at(0.5)}, worst ${at(1)} ms\n  ${result.answer.slice(0, 300)}`,
  );
}

try {
  await fill(database);
  for (let warm = 0; warm < 5; warm++) await firstPage();
  console.log(`${alertCount} alerts; the first page at rest: ${Math.round(await firstPage())} ms`);
  const first = reportOf(0);
  console.log(`report: ${packageCount} dependencies, ${(first.length / 1024 / 1024).toFixed(2)} MB`);
  await measure('first report (every verdict is new)', first);
  await measure('the same report', first);
  await measure('another report, every verdict changes', reportOf(1));
  await measure('another report, no verdict changes', reportOf(1));
} finally {
  server.closeAllConnections();
  server.close();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
}
