import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { SampleServer } from '../capacity/sample-server.js';

const run = promisify(execFile);
const firstRun = z.object({ keys: z.object({ read_write: z.string() }) });
const created = z.object({ id: z.string() });

/** Makes a project with so many alerts, by a feed of as many advisories and one sync. Answers its id. */
export async function fillWithAlerts(checkout: string, server: SampleServer, alerts: number): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postern-bench-feed-'));
  try {
    const file = path.join(folder, 'many.ndjson');
    await writeFile(file, Array.from({ length: alerts }, (_, at) => JSON.stringify(advisory(at))).join('\n'));
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: server.dataDir };
    await run(process.execPath, [path.join(checkout, 'dist/postern.js'), 'feeds', 'load', '--osv', file], { env });
  } finally {
    await rm(folder, { recursive: true });
  }
  const { keys } = firstRun.parse(JSON.parse(await readFile(path.join(server.dataDir, 'first-run.json'), 'utf8')));
  const post = (at: string, body: unknown) => send(`${server.url}${at}`, keys.read_write, body);
  const { id } = created.parse(
    await (await post('/api/projects', { name: 'Many alerts', exposure: 'internet' })).json(),
  );
  const packages = Array.from({ length: alerts }, (_, at) => ({
    ecosystem: 'npm',
    name: nameOf(at),
    version: '1.0.0',
  }));
  await post(`/api/projects/${id}/tech-stack/sync`, { source: 'bench', packages });
  return id;
}

const nameOf = (at: number) => `bench-package-${at}`;

function advisory(at: number) {
  const severity = ['LOW', 'MODERATE', 'HIGH', 'CRITICAL'][at % 4];
  return {
    id: `GHSA-bench-${at}`,
    aliases: [`CVE-1999-${100_000 + at}`],
    modified: '2025-01-01T00:00:00Z',
    published: '2025-01-01T00:00:00Z',
    summary: `Number ${at} of many: a value from outside reaches where it should not`,
    database_specific: { severity },
    affected: [
      {
        package: { ecosystem: 'npm', name: nameOf(at) },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }],
      },
    ],
  };
}

async function send(url: string, key: string, body: unknown): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`POST ${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}
