/** What a command runs in: the process supplies one, and so does a test. */
export interface CliContext {
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Standard error is a terminal, so progress is shown there. */
  readonly interactive?: boolean;
}

/** 0 done, 1 rejected or failed, 2 wrong usage, 3 done and `--fail-on` matched. */
export type ExitCode = 0 | 1 | 2 | 3;

/** Writes what went wrong, and what to do about it, to standard error. */
export function reportError(
  { stderr }: CliContext,
  { message, advice }: { readonly message: string; readonly advice: string | null },
): void {
  stderr(`reach: ${message}\n${advice === null ? '' : `${advice}\n`}`);
}

/** One line on the terminal: each step replaces it, the end clears it. Without a terminal nothing is written. */
export function progressLine({ interactive, stderr }: CliContext) {
  const clear = '\r\x1b[2K';
  return {
    show: (step: string) => {
      if (interactive === true) stderr(`${clear}reach: ${step} …`);
    },
    end: () => {
      if (interactive === true) stderr(clear);
    },
  };
}
