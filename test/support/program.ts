import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A child process and what it says, line by line. */
export interface Program {
  readonly pid: number;
  readonly lines: AsyncIterableIterator<string>;
  /** The next line; throws where the program ended instead. */
  next(): Promise<string>;
  say(line: string): void;
  /** Ends its input and waits until it is gone by itself. */
  finish(): Promise<void>;
  /** Ends it by a signal and waits until it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Runs a built program in plain node until the test is over. */
export function startProgram(file: string, ...args: string[]): Program {
  const child: ChildProcess = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { pid, stdin, stdout } = child;
  if (pid === undefined || stdin === null || stdout === null) throw new Error(`${file} did not start.`);
  // A program that is gone is found out by its lines, not by what could not be said to it.
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
