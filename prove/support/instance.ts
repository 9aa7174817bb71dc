import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A server in a process of its own, with a data folder that is gone when it is closed. */
export interface Instance {
  readonly url: string;
  readonly dataDir: string;
  /** Whether its database is the embedded one, which has routes of its own. */
  readonly isEmbedded: boolean;
  readonly operatorKey: string;
  /** Signs member sessions, so that the program can forge them in every way but the right one. */
  readonly jwtSecret: string;
  readonly pid: () => number;
  /** Resident memory in megabytes; undefined where /proc is not there. */
  readonly memory: () => number | undefined;
  /** How it has ended, unless it runs: an exit code or a signal. */
  readonly ended: () => number | string | undefined;
  /** What it has written to stderr: its log. */
  readonly log: () => string;
  readonly kill: (signal: NodeJS.Signals) => Promise<void>;
  /** Starts it again, on the same port and folder. */
  readonly restart: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface InstanceOptions {
  readonly program: string;
  /** Receivers of webhooks on this machine that are allowed, as `127.0.0.1:4000`. */
  readonly allowedReceivers?: string;
  /** A program that runs the server, with the server's command line as its last arguments. */
  readonly runner?: (dataDir: string) => readonly string[];
  readonly databaseUrl?: string | undefined;
}

const startLimitMs = 180_000;

/** Starts a server with an empty data folder and none of this process's settings, and waits until it answers. */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const { program, allowedReceivers = '', runner = () => [], databaseUrl = '' } = options;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'postern-prove-'));
  const port = await freePort();
  const [operatorKey, jwtSecret] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  const env = {
    ...{ PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' },
    ...{ POSTERN_SAMPLE: 'false', OPERATOR_KEY: operatorKey, JWT_SECRET: jwtSecret },
    ...{ WEBHOOK_ALLOWED_HOSTS: allowedReceivers, DATABASE_URL: databaseUrl },
  };
  let log = '';
  // Also where this program is stopped in the middle: a server that was attacked must not go on alone.
  const leaveNothing = () => {
    child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  };
  process.once('exit', leaveNothing);
  let child = launch();
  await untilItAnswers(child);

  function launch() {
    const [command = process.execPath, ...args] = [...runner(dataDir), process.execPath, program, 'serve'];
    const started = spawn(command, args, { cwd: dataDir, env, stdio: ['ignore', 'pipe', 'pipe'] });
    started.stderr.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-100_000);
    });
    return started;
  }

  async function untilItAnswers(started: ReturnType<typeof launch>): Promise<void> {
    const limit = setTimeout(() => started.kill('SIGKILL'), startLimitMs);
    // Its first output is the greeting that it prints when it answers.
    const begun = await Promise.race([
      once(started.stdout, 'data').then(() => true),
      once(started, 'exit').then(() => false),
    ]);
    clearTimeout(limit);
    started.stdout.resume();
    if (!begun) throw new Error(`the server did not start: ${log.slice(-500)}`);
  }

  async function kill(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  return {
    url: `http://127.0.0.1:${port}`,
    ...{ dataDir, operatorKey, jwtSecret, isEmbedded: databaseUrl === '' },
    pid: () => child.pid ?? 0,
    memory: () => residentMegabytes(child),
    ended: () => child.exitCode ?? child.signalCode ?? undefined,
    log: () => log,
    kill,
    async restart() {
      child = launch();
      await untilItAnswers(child);
    },
    async close() {
      await kill('SIGKILL');
      leaveNothing();
      process.off('exit', leaveNothing);
    },
  };
}

function residentMegabytes({ pid }: ChildProcess): number | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1];
  return kibibytes === undefined ? undefined : (Number(kibibytes) * 1024) / 1e6;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
