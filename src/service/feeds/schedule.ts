/** Time between syncs: a day and up to half an hour, so that not every installation asks in the same minute. */
const intervalMs = 24 * 60 * 60 * 1000;
const jitterMs = 30 * 60 * 1000;
/** Time before the first sync, so that repeated restarts do not each start one. */
const firstDelayMs = 60 * 1000;

export interface FeedScheduleOptions {
  /** Syncs the feeds until the signal aborts it. What it throws is passed to `onError`. */
  readonly sync: (signal: AbortSignal) => Promise<void>;
  /** When the feeds were last synced; null where they never were. */
  readonly lastSync: () => Promise<Date | null>;
  readonly onError: (error: unknown) => void;
}

/**
 * Syncs the feeds daily while the service runs. The next sync is scheduled when one has ended, so they never overlap.
 * `stop` starts no further sync, and ends the running one. `nextAt` is when the next one begins; during one, when it began.
 */
export function startFeedSchedule({ sync, lastSync, onError }: FeedScheduleOptions): {
  readonly stop: () => Promise<void>;
  readonly nextAt: () => Date | null;
} {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let nextAt: Date | null = null;

  const plan = (delayMs: number) => {
    if (stopping.signal.aborted) return;
    nextAt = new Date(Date.now() + delayMs);
    timer = setTimeout(() => {
      running = run();
    }, delayMs);
    timer.unref();
  };
  const run = async () => {
    try {
      await sync(stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) onError(error);
    }
    plan(intervalMs + Math.random() * jitterMs);
  };
  running = lastSync()
    .catch((error: unknown) => {
      onError(error);
      return null;
    })
    .then((last) => plan(firstDelay(last, Date.now()) + Math.random() * jitterMs));

  return {
    nextAt: () => nextAt,
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      nextAt = null;
      await running;
    },
  };
}

/** Milliseconds until a day after the last sync, within bounds. */
export function firstDelay(last: Date | null, nowMs: number): number {
  const left = last === null ? 0 : last.getTime() + intervalMs - nowMs;
  return Math.min(Math.max(left, firstDelayMs), intervalMs);
}
