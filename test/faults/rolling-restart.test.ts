import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { folderWithDatabase, type RunningPostern, startPosternProgram } from '../bin/running-postern.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { noNginx, startNginx } from '../support/nginx.js';

if (noNginx !== undefined) console.warn(`the rolling restart is not tested: ${noNginx}`);

const calls = 600;
const callsAtOnce = 8;

test.runIf(noNginx === undefined)(
  'a rolling restart behind nginx fails no call, and makes no write twice',
  async () => {
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
    const url = await startNginx(ports);
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
  },
);
