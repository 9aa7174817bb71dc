import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type FeedScheduleOptions, feedsJob, firstDelay } from '../../../src/service/feeds/schedule.js';
import { JobLoop } from '../../../src/service/jobs/job-loop.js';

const hour = 3_600_000;

function startFeedSchedule({ onError, ...options }: FeedScheduleOptions & { onError: (error: unknown) => void }) {
  const loop = new JobLoop(feedsJob(options), onError);
  loop.begin();
  return { nextAt: () => loop.status.next_at, stop: () => loop.end() };
}

describe('the daily sync', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('runs soon where feeds were never synced, then daily', async () => {
    let runs = 0;
    const schedule = startFeedSchedule({
      sync: async () => {
        runs += 1;
      },
      lastSync: async () => null,
      onError: (error) => {
        throw error;
      },
    });
    await vi.advanceTimersByTimeAsync(hour);
    expect(runs).toBe(1);
    const left = (schedule.nextAt()?.getTime() ?? 0) - Date.now();
    expect(left).toBeGreaterThan(22 * hour);
    expect(left).toBeLessThan(24.5 * hour);
    await vi.advanceTimersByTimeAsync(22 * hour);
    expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(2.5 * hour);
    expect(runs).toBe(2);
    await schedule.stop();
    expect(schedule.nextAt()).toBeNull();
    await vi.advanceTimersByTimeAsync(72 * hour);
    expect(runs).toBe(2);
  });

  test('none begins while one is at work, and stopping ends that one', async () => {
    let begun = 0;
    const schedule = startFeedSchedule({
      sync: (signal) => {
        begun += 1;
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
      lastSync: async () => null,
      onError: (error) => {
        throw error;
      },
    });
    await vi.advanceTimersByTimeAsync(100 * hour);
    expect(begun).toBe(1);
    await schedule.stop();
    expect(begun).toBe(1);
  });

  test('what a sync throws is handed on, and the next day has its sync', async () => {
    const errors: unknown[] = [];
    const schedule = startFeedSchedule({
      sync: () => Promise.reject(new Error('no database')),
      lastSync: () => Promise.reject(new Error('no table')),
      onError: (error) => errors.push(error),
    });
    await vi.advanceTimersByTimeAsync(hour);
    await vi.advanceTimersByTimeAsync(25 * hour);
    expect(errors.map(String)).toEqual(['Error: no table', 'Error: no database', 'Error: no database']);
    await schedule.stop();
  });
});

test('a restart waits for what is left of the day', () => {
  const now = Date.parse('2025-08-20T12:00:00Z');
  expect(firstDelay(new Date(now - 20 * hour), now)).toBe(4 * hour);
  expect(firstDelay(new Date(now - 90 * hour), now)).toBe(60_000);
  expect(firstDelay(new Date(now + 90 * hour), now)).toBe(24 * hour);
  expect(firstDelay(null, now)).toBe(60_000);
});
