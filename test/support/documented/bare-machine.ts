import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../eventually.js';

/** What a documented command may use: Node with npm, a shell, `cat`, and `curl` where the machine has it. */
const programs = ['npm', 'npx', 'sh', 'cat', 'curl'];

export interface Ran {
  readonly exitCode: number | null;
  readonly output: string;
}

/** A command that goes on: a server. */
export interface Started {
  readonly output: () => string;
  /** The address that it prints when it is ready. */
  readonly ready: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

export interface BareMachine {
  readonly env: Readonly<Record<string, string>>;
  /** A new, empty folder. */
  readonly folder: () => Promise<string>;
  /** Runs a script as a shell does, to its end; a line that fails ends it. */
  readonly run: (script: string, cwd: string, env?: Readonly<Record<string, string>>) => Promise<Ran>;
  readonly start: (script: string, cwd: string, env?: Readonly<Record<string, string>>) => Started;
  readonly close: () => Promise<void>;
}

/**
 * A machine with nothing but Node: an empty home, few programs, and npm that asks this registry alone. What npm installs globally goes
 * to a folder of the test.
 */
export async function bareMachine(registry: string): Promise<BareMachine> {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), 'postern-bare-')));
  const [bin, prefix, cache] = ['bin', 'prefix', 'cache'].map((name) => path.join(home, name));
  if (bin === undefined || prefix === undefined || cache === undefined) throw new Error('three folders');
  for (const folder of [bin, prefix, cache, path.join(home, 'home')]) await mkdir(folder);
  await symlink(process.execPath, path.join(bin, 'node'));
  for (const name of programs) {
    const found = (process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, name));
    const program = found.find((file) => existsSync(file));
    if (program !== undefined) await symlink(await realpath(program), path.join(bin, name));
  }
  // The archives that npm has here already, by their digests.
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'cache']);
  const store = path.join(stdout.trim(), '_cacache');
  await mkdir(store, { recursive: true });
  await symlink(store, path.join(cache, '_cacache'));

  const env = {
    PATH: [bin, path.join(prefix, 'bin')].join(path.delimiter),
    HOME: path.join(home, 'home'),
    npm_config_registry: registry,
    npm_config_cache: cache,
    npm_config_prefix: prefix,
    npm_config_update_notifier: 'false',
    LOG_LEVEL: 'warn',
    LIMIT_WAIT_SECONDS: '30',
  };
  const running = new Set<ChildProcess>();

  function begin(script: string, cwd: string, more: Readonly<Record<string, string>> = {}) {
    const child = spawn('sh', ['-ec', script], {
      ...{ cwd, env: { ...env, ...more } },
      // The shell and what it starts are a group of their own, so that all of it can be stopped.
      ...{ detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    running.add(child);
    const written = { text: '' };
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (written.text += String(chunk)));
    const ended = once(child, 'close').then(() => {
      running.delete(child);
      return child.exitCode;
    });
    return { child, written, ended };
  }

  return {
    env,
    folder: () => mkdtemp(path.join(home, 'folder-')),
    async run(script, cwd, more) {
      const { written, ended } = begin(script, cwd, more);
      return { exitCode: await ended, output: written.text };
    },
    start(script, cwd, more) {
      const { child, written, ended } = begin(script, cwd, more);
      return {
        output: () => written.text,
        ready: () =>
          eventually(() => {
            const [, url] = /^Postern is ready at (\S+)\n[\s\S]*\n}\n\n/m.exec(written.text) ?? [];
            if (url !== undefined) return url;
            throw new Error(`not ready, exit code ${child.exitCode}: ${written.text}`);
          }),
        async stop() {
          signal(child, 'SIGTERM');
          await ended;
        },
      };
    },
    async close() {
      for (const child of running) signal(child, 'SIGKILL');
      await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

function signal({ pid, exitCode, signalCode }: ChildProcess, name: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, name);
}
