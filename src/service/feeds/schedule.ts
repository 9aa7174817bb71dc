/** A day between syncs, and up to half an hour more: the origins need not see every installation in the same minute. */
const intervalMs = 24 * 60 * 60 * 1000;
const jitterMs = 30 * 60 * 1000;
/** Before the first one, so that a restart is not a storm. */
const firstDelayMs = 60 * 1000;

export interface FeedScheduleOptions {
  /** Syncs the feeds; told to end by the signal. What it throws is handed to `onError`. */
  readonly sync: (signal: AbortSignal) => Promise<void>;
  /** When the feeds were last synced; null where they never were. */
  readonly lastSync: () => Promise<Date | null>;
  readonly onError: (error: unknown) => void;
}

export interface FeedSchedule {
  /** No sync begins any more; the one at work is ended. */
  readonly stop: () => Promise<void>;
}

/** Syncs the feeds daily for as long as the service runs. The next one is set when one has ended, so none overlaps. */
export function startFeedSchedule({ sync, lastSync, onError }: FeedScheduleOptions): FeedSchedule {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const plan = (delayMs: number) => {
    if (stopping.signal.aborted) return;
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
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

/** What is left of the day since the last sync. */
export function firstDelay(last: Date | null, nowMs: number): number {
  const left = last === null ? 0 : last.getTime() + intervalMs - nowMs;
  return Math.min(Math.max(left, firstDelayMs), intervalMs);
}
