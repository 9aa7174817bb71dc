/** Work that a service repeats for as long as it runs. */
export interface Repeated {
  /** Runs it now, unless it is running. */
  readonly wake: () => void;
  /** No further run begins. The signal of the one under way is aborted, and it is waited for. */
  readonly stop: () => Promise<void>;
}

/** Runs `work` again `everyMs` after its last run has ended, so that two runs never overlap. */
export function repeat(
  everyMs: number,
  work: (stopping: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
): Repeated {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    try {
      await work(stopping.signal);
    } catch (error) {
      onError(error);
    }
    running = undefined;
    schedule(everyMs);
  }
  function schedule(delayMs: number): void {
    clearTimeout(timer);
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      running = run();
    }, delayMs).unref();
  }
  schedule(everyMs);

  return {
    wake: () => {
      if (running === undefined) schedule(0);
    },
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
