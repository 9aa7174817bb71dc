/** What the command works with; the process has one, and so has a test. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Standard error is a terminal: what is being done is shown there. */
  readonly interactive?: boolean;
}

/** 0 done, 1 refused or failed, 2 wrong usage, 3 done and `--fail-on` matched. */
export type ExitCode = 0 | 1 | 2 | 3;

/** Tells what went wrong, and what to do about it. */
export function tellError(
  { stderr }: Surroundings,
  { message, advice }: { readonly message: string; readonly advice: string | null },
): void {
  stderr(`reach: ${message}\n${advice === null ? '' : `${advice}\n`}`);
}

/** One line on the terminal that each step replaces, gone when all is done; nothing where there is no terminal. */
export function progressLine({ interactive, stderr }: Surroundings) {
  const clear = '\r\x1b[2K';
  return {
    show: (doing: string) => {
      if (interactive === true) stderr(`${clear}reach: ${doing} …`);
    },
    end: () => {
      if (interactive === true) stderr(clear);
    },
  };
}
