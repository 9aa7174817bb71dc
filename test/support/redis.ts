import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

/** Why tests of Redis are skipped; undefined where Debian's `redis-server` (or another) is installed. */
export const noRedis: string | undefined =
  spawnSync('redis-server', ['--version']).status === 0 ? undefined : 'redis-server is not installed';

export interface TestRedis {
  readonly url: string;
  /** Stops answering, with all connections open, until `resume`. */
  readonly freeze: () => void;
  readonly resume: () => void;
  readonly stop: () => Promise<void>;
  /** Starts again on the same port, empty. */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A Redis of the test's own on a free port of 127.0.0.1, without persistence. */
export async function startRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-redis-'));
  const port = await freePort();
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
    server = spawn('redis-server', options, { stdio: 'ignore' });
    await eventually(async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect').finally(() => socket.destroy());
    });
  }

  async function stop(): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    freeze: () => server?.kill('SIGSTOP'),
    resume: () => server?.kill('SIGCONT'),
    start,
    stop,
    async close() {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}
