import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { root } from '../support/build.js';
import { copyTemplate } from '../support/database-template.js';
import { eventually } from '../support/eventually.js';

/** A started `postern`, and what it has written so far. */
export interface RunningPostern {
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Where it says that it is ready. */
  readonly ready: () => Promise<string>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** How it ended: an exit code, or the signal's name. */
  readonly ended: Promise<number | string>;
}

/** Runs the built program until the test is over, with nothing of this process's environment. */
export function startPosternProgram(env: Record<string, string>, ...args: string[]): RunningPostern {
  return startPosternOn(process.execPath, env, ...args);
}

/** The same on another Node. */
export function startPosternOn(node: string, env: Record<string, string>, ...args: string[]): RunningPostern {
  // A folder of its own to work in: a .env file of the checkout is not for tests.
  const child = spawn(node, [path.join(root, 'dist/postern.js'), ...args], {
    cwd: tmpdir(),
    env: { LOG_LEVEL: 'warn', PORT: '0', LIMIT_WAIT_SECONDS: '30', ...env },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('postern did not start');
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    written.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    written.stderr += chunk;
  });
  const ended = once(child, 'close').then(() => child.exitCode ?? child.signalCode ?? 'unknown');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    pid,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    ready: () =>
      eventually(() => {
        // The welcome ends with the MCP configuration and an empty line. It is on stderr where stdout is the audit log's.
        const [, url] = /^Postern is ready at (\S+)\n[\s\S]*\n}\n\n/m.exec(written.stdout + written.stderr) ?? [];
        if (url !== undefined) return url;
        if (child.exitCode !== null) return Promise.reject(new Error(`postern ended: ${written.stderr}`));
        throw new Error(`postern is not ready: ${written.stdout}${written.stderr}`);
      }),
    kill: (signal) => void child.kill(signal),
    ended,
  };
}

/** An empty folder that is gone after the test. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postern-run-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A data folder with an empty database, so that a start need not make one. It is gone after the test. */
export async function folderWithDatabase(): Promise<string> {
  const folder = await emptyFolder();
  await copyTemplate(inject('databaseTemplate'), folder);
  return folder;
}
