import { plainText } from '../../shared/text/plain-text.js';
import type { CliContext } from './cli-context.js';

/** Milliseconds before the first line of a log, and between two. */
const logInterval = 5000;

interface Progress {
  readonly show: (step: string) => void;
  /** Leaves nothing on a terminal. */
  readonly end: () => void;
}

/**
 * Progress on standard error: on a terminal one line that each step replaces, elsewhere (a CI job's log) a line every five
 * seconds, so that a short run writes nothing.
 */
export function startProgress({ interactive, stderr, now = () => performance.now() }: CliContext): Progress {
  return interactive === true ? onTerminal(stderr) : inLog(stderr, now);
}

/** The same for a command that seldom waits: it begins with the first step. */
export function startProgressLater(context: CliContext): Progress {
  let progress: Progress | undefined;
  return {
    show: (step) => {
      progress ??= startProgress(context);
      progress.show(step);
    },
    end: () => progress?.end(),
  };
}

const clear = '\r\x1b[2K';

function onTerminal(stderr: CliContext['stderr']): Progress {
  return {
    show: (step) => stderr(`${clear}reach: ${plainText(step)} …`),
    end: () => stderr(clear),
  };
}

function inLog(stderr: CliContext['stderr'], now: () => number): Progress {
  const start = now();
  let last = start;
  let current = 'starting';
  const write = () => {
    const time = now();
    if (time - last < logInterval) return;
    last = time;
    stderr(`reach: ${plainText(current)} (${Math.round((time - start) / 1000)} s)\n`);
  };
  // For steps that wait, as an upload does: it does not keep the process alive.
  const timer = setInterval(write, logInterval);
  timer.unref();
  return {
    show: (step) => {
      current = step;
      write();
    },
    end: () => clearInterval(timer),
  };
}
