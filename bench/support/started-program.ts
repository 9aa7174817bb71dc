import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { freePort } from './service-process.js';

/** A server in a process of its own. */
export interface StartedProgram {
  readonly url: string;
  /** Processor time of all its threads so far, in seconds. */
  cpuSeconds(): Promise<number>;
  /** Memory after a garbage collection, in megabytes. */
  memory(): Promise<{ readonly resident: number; readonly heap: number }>;
  close(): Promise<void>;
}

interface ProgramOptions {
  readonly args: readonly string[];
  /** The environment beside PATH and PORT: settings of whoever runs the bench must not change what is measured. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

const usage = z.object({
  cpu: z.object({ user: z.number(), system: z.number() }),
  memory: z.object({ rss: z.number(), heapUsed: z.number() }),
});

const startLimitMs = 60_000;

/** Starts a Node program on a free port, with its output thrown away, and waits until it answers. */
export async function startProgram({ args, env, cwd }: ProgramOptions): Promise<StartedProgram> {
  const port = await freePort();
  const probe = path.resolve('bench/support/usage-probe.js');
  const child = spawn(process.execPath, ['--expose-gc', '--import', probe, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const url = `http://127.0.0.1:${port}`;
  const ask = async (message: string) => {
    const answer = once(child, 'message');
    child.send(message);
    return usage.parse((await answer)[0]);
  };
  await untilAnswering(url, child);
  return {
    url,
    async cpuSeconds() {
      const { user, system } = (await ask('usage')).cpu;
      return (user + system) / 1e6;
    },
    async memory() {
      const { rss, heapUsed } = (await ask('collect')).memory;
      return { resident: rss / 1e6, heap: heapUsed / 1e6 };
    },
    async close() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Any answer of a server that has no /readyz will do. */
async function untilAnswering(url: string, child: ChildProcess): Promise<void> {
  const giveUp = performance.now() + startLimitMs;
  while (performance.now() < giveUp && child.exitCode === null) {
    const status = await fetch(`${url}/readyz`).then(
      (answer) => answer.status,
      () => null,
    );
    if (status !== null && status < 500) return;
    await setTimeout(50);
  }
  child.kill();
  throw new Error(`${child.spawnargs.at(-1)} does not answer; exit code ${child.exitCode}`);
}
