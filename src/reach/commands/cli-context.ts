import type { Failure } from '../remote/failure.js';

/** What a command runs in: the process supplies one, and so does a test. */
export interface CliContext {
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Standard error is a terminal, so progress is shown there. */
  readonly interactive?: boolean;
  /** Milliseconds of a clock that never goes back; by default the process's. */
  readonly now?: () => number;
}

/** 0 done, 1 rejected or failed, 2 wrong usage, 3 done and `--fail-on` matched. */
export type ExitCode = 0 | 1 | 2 | 3;

/** How a command gets its context, and sets the exit code if that is not 0. */
export interface CommandContext extends CliContext {
  readonly exit: (code: ExitCode) => void;
}

/** Ends a command with 1: writes what went wrong, and what to do about it, to standard error. */
export function fail({ stderr, exit }: CommandContext, { message, advice }: Omit<Failure, 'status'>): void {
  exit(1);
  stderr(`reach: ${message}\n${advice === null ? '' : `${advice}\n`}`);
}

export const environmentHelp = `Environment:
  SERVICE_API_KEY   a ReadWrite API key
  SERVICE_API_URL   the service (default http://127.0.0.1:3000)`;
