import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { documentedConfig } from './documented-config.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

/** Why tests behind nginx are skipped; undefined where Debian's `nginx-light` (or another) is installed. */
export const noNginx: string | undefined =
  spawnSync('nginx', ['-v']).status === 0 ? undefined : 'nginx is not installed';

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** nginx before some instances until the test is over, by the documented example. Answers its address. */
export async function startNginx(instances: readonly number[]): Promise<string> {
  const [folder, port] = [await mkdtemp(path.join(tmpdir(), 'postern-nginx-')), await freePort()];
  const example = documentedConfig('nginx', [
    ['server 10.0.0.11:3000 max_fails=0;', instances.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join('\n')],
    ['server 10.0.0.12:3000 max_fails=0;', ''],
    ['10.0.0.10:80', `127.0.0.1:${port}`],
  ]);
  const config = `
    daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
    events { worker_connections 256; }
    http {
      access_log off;
      ${temporary.map((each) => `${each}_temp_path ${folder}/${each};`).join(' ')}
      ${example}
    }`;
  await writeFile(path.join(folder, 'nginx.conf'), config);
  const child = spawn('nginx', ['-p', folder, '-e', `${folder}/error.log`, '-c', path.join(folder, 'nginx.conf')]);
  onTestFinished(async () => {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
    await rm(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200));
  return url;
}
