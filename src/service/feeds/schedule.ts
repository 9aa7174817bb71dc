import type { Job } from '../jobs/job.js';

/** Time between syncs: a day and up to half an hour, so that not every installation asks in the same minute. */
const intervalMs = 24 * 60 * 60 * 1000;
const jitterMs = 30 * 60 * 1000;
/** Time before the first sync, so that repeated restarts do not each start one. */
const firstDelayMs = 60 * 1000;

export interface FeedScheduleOptions {
  /** Syncs the feeds until the signal aborts it. */
  readonly sync: (signal: AbortSignal) => Promise<void>;
  /** When the feeds were last synced; null where they never were. */
  readonly lastSync: () => Promise<Date | null>;
}

export const feedsJobName = 'feeds';

/** Syncs the feeds daily: of several instances one, a day after the last sync of any. */
export function feedsJob({ sync, lastSync }: FeedScheduleOptions): Job {
  const jitter = () => Math.random() * jitterMs;
  return {
    ...{ name: feedsJobName, shared: 'one_instance', failure: 'feeds could not be synced' },
    firstMs: async () => firstDelay(await lastSync(), Date.now()) + jitter(),
    everyMs: () => intervalMs + jitter(),
    run: ({ stopping }) => sync(stopping),
  };
}

/** Milliseconds until a day after the last sync, within bounds. */
export function firstDelay(last: Date | null, nowMs: number): number {
  const left = last === null ? 0 : last.getTime() + intervalMs - nowMs;
  return Math.min(Math.max(left, firstDelayMs), intervalMs);
}
