import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A child process and its output, line by line. */
export interface Program {
  readonly pid: number;
  readonly lines: AsyncIterableIterator<string>;
  /** The next line of output. Throws if the program ended instead. */
  next(): Promise<string>;
  say(line: string): void;
  /** Closes its input and waits until it exits. */
  finish(): Promise<void>;
  /** Kills it by a signal and waits until it exits. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Runs a built program in plain Node until the test ends. */
export function startProgram(file: string, ...args: string[]): Program {
  const child: ChildProcess = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { pid, stdin, stdout } = child;
  if (pid === undefined || stdin === null || stdout === null) throw new Error(`${file} did not start.`);
  // That a program ended shows in `next`; a failed write to it is no error.
  stdin.on('error', () => {});
  const gone = once(child, 'exit');
  const end = async (signal: NodeJS.Signals = 'SIGKILL') => {
    child.kill(signal);
    await gone;
  };
  const finish = async () => {
    stdin.end();
    await gone;
  };
  onTestFinished(() => end());
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const line = await lines.next();
    if (line.done === true) throw new Error(`${file} ended without another line.`);
    return line.value;
  };
  return { pid, lines, next, say: (line) => void stdin.write(`${line}\n`), finish, end };
}
