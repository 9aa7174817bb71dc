import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { emptyFolder, folderWithDatabase, type RunningPostern, startPosternProgram } from '../bin/running-postern.js';
import { eventually } from '../support/eventually.js';
import { portOf } from '../support/upstream.js';

const nginx = spawnSync('nginx', ['-v']).status === 0;
if (!nginx) console.warn('the rolling restart is not tested: there is no nginx');

const calls = 600;
const callsAtOnce = 8;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server.address());
  server.close();
  await once(server, 'close');
  return port;
}

/** nginx before some gateways, with connections that are kept alive. Only its answers about connections count as failures. */
async function startProxy(gateways: readonly number[]): Promise<string> {
  const [folder, port] = [await emptyFolder(), await freePort()];
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const config = `
    daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
    events { worker_connections 256; }
    http {
      access_log off;
      ${temporary.map((each) => `${each}_temp_path ${folder}/${each};`).join(' ')}
      upstream gateways { ${gateways.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join(' ')} keepalive 16; }
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass http://gateways; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host localhost; }
      }
    }`;
  writeFileSync(path.join(folder, 'nginx.conf'), config);
  const child = spawn('nginx', ['-p', folder, '-e', `${folder}/error.log`, '-c', path.join(folder, 'nginx.conf')]);
  onTestFinished(async () => {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200));
  return url;
}

test.runIf(nginx)('a rolling restart behind nginx fails no call, and makes no write twice', async () => {
  const dataDir = await folderWithDatabase();
  const service = await startPosternProgram({ DATA_DIR: dataDir }).ready();
  const { keys } = z
    .object({ keys: z.object({ read_write: z.string() }) })
    .parse(JSON.parse(readFileSync(path.join(dataDir, 'first-run.json'), 'utf8')));
  const ports = [await freePort(), await freePort()];
  const start = (port: number | undefined) =>
    startPosternProgram({ PORT: String(port), SERVICE_API_URL: service, DRAIN_SECONDS: '1' });
  const gateways: RunningPostern[] = ports.map(start);
  for (const gateway of gateways) await gateway.ready();
  const url = await startProxy(ports);
  const headers = { authorization: `Bearer ${keys.read_write}`, 'content-type': 'application/json' };

  const failed: string[] = [];
  let [begun, ended] = [0, 0];
  async function call(number: number): Promise<void> {
    const isWrite = number % 10 === 0;
    const response = isWrite
      ? await fetch(`${url}/trpc/projects.create`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ json: { name: `project ${number}` } }),
        })
      : await fetch(`${url}/trpc/organisation.get`, { headers });
    const text = await response.text();
    if (response.status !== 200) failed.push(`${number}: ${response.status} ${text.slice(0, 200)}`);
  }
  const caller = async () => {
    for (let number = begun++; number < calls; number = begun++) {
      await call(number).catch((error: unknown) => failed.push(`${number}: ${String(error)}`));
      ended += 1;
    }
  };
  const callers = Array.from({ length: callsAtOnce }, caller);
  for (const [at, port] of ports.entries()) {
    const enough = (calls / 4) * (at + 1);
    await eventually(() => expect(ended).toBeGreaterThan(enough));
    gateways[at]?.kill('SIGTERM');
    expect(await gateways[at]?.ended).toBe(0);
    await start(port).ready();
  }
  await Promise.all(callers);
  expect(failed).toEqual([]);

  const names: string[] = [];
  for (let page = 1, more = true; more; page += 1) {
    const answer = await fetch(`${service}/api/projects?page_size=100&page=${page}`, { headers });
    const { items } = z.object({ items: z.array(z.object({ name: z.string() })) }).parse(await answer.json());
    names.push(...items.map(({ name }) => name).filter((name) => name.startsWith('project ')));
    more = items.length > 0;
  }
  expect([names.length, new Set(names).size]).toEqual([calls / 10, calls / 10]);
});
