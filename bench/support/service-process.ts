import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { rolldown } from 'rolldown';

/** Builds the program and its database worker inside the checkout, where its packages are found. Returns its path. */
export async function buildService(): Promise<string> {
  const bundle = await rolldown({
    cwd: process.cwd(),
    input: {
      postern: 'src/bin/postern.ts',
      'database-worker': 'src/service/db/embedded/database-worker.ts',
      'upload-worker': 'src/service/upload-worker.ts',
    },
    platform: 'node',
    external: /^(?!\.|\/)/,
  });
  const dir = path.resolve('node_modules/.cache/postern-bench/service-program');
  await bundle.write({ dir, format: 'esm', chunkFileNames: '[name]-[hash].js' });
  await bundle.close();
  return path.join(dir, 'postern.js');
}

/** A service in another process. Its memory and processor time are known on Linux only. */
export interface ServiceProcess {
  readonly url: string;
  /** Resident memory in megabytes: now, and the peak since the last `forgetPeak`. */
  memory(): { readonly now: number; readonly peak: number };
  /** Processor time of all threads so far, in seconds. */
  cpuSeconds(): number;
  forgetPeak(): void;
  close(): Promise<void>;
}

/** Starts the program with a data folder (or the database of DATABASE_URL), and waits until it answers. */
export async function startServiceProcess(program: string, dataDir: string): Promise<ServiceProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [...nodeOptions(), program, 'serve'], {
    // The working directory, in which it looks for a .env file.
    cwd: dataDir,
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  const begun = await Promise.race([
    // Its first output is the greeting that it prints when it answers.
    once(child.stdout, 'data').then(() => true),
    once(child, 'exit').then(() => false),
  ]);
  if (!begun) throw new Error(`the service ended with code ${child.exitCode}`);
  child.stdout.resume();
  return {
    url,
    memory: () => ({ now: megabytesOf(child, 'VmRSS'), peak: megabytesOf(child, 'VmHWM') }),
    cpuSeconds: () => cpuSecondsOf(child),
    forgetPeak: () => {
      if (process.platform === 'linux') writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
    },
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** SERVICE_NODE_OPTIONS are options for profiling, such as `--cpu-prof`. */
function nodeOptions(): string[] {
  return (process.env['SERVICE_NODE_OPTIONS'] ?? '').split(' ').filter((option) => option !== '');
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Of the process, of its children that have ended, and of those that run, such as one that reads an upload. */
function cpuSecondsOf({ pid }: ChildProcess): number {
  if (process.platform !== 'linux') return Number.NaN;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [String(pid), ...children].map(ownCpuSeconds).reduce((sum, seconds) => sum + seconds, 0);
}

function ownCpuSeconds(pid: string): number {
  // proc_pid_stat(5): the 14th to 17th field, in ticks of 10 ms. The second, in parentheses, may contain any character.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

function megabytesOf({ pid }: ChildProcess, line: string): number {
  if (process.platform !== 'linux') return Number.NaN;
  const kibibytes = new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kibibytes) * 1024) / 1e6;
}
