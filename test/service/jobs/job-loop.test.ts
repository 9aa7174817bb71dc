import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { JobLoop } from '../../../src/service/jobs/job-loop.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work whose runs end when `end` is called. */
function repeated(onError: (error: unknown) => void = () => {}) {
  const runs: { readonly signal: AbortSignal; readonly end: (error?: Error) => void }[] = [];
  const loop = new JobLoop(
    {
      ...{ name: 'a job', everyMs: 1_000, shared: 'every_instance', failure: 'it failed' },
      run: ({ stopping }) =>
        new Promise<void>((resolve, reject) => {
          runs.push({ signal: stopping, end: (error) => (error === undefined ? resolve() : reject(error)) });
        }),
    },
    onError,
  );
  loop.begin();
  onTestFinished(() => {
    for (const { end } of runs) end();
    return loop.end();
  });
  return { loop, runs, wake: () => loop.wake(), stop: () => loop.end() };
}

test('runs first after the interval, and again an interval after each end', async () => {
  const { runs } = repeated();
  await vi.advanceTimersByTimeAsync(999);
  expect(runs).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(runs).toHaveLength(1);
  runs[0]?.end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toHaveLength(2);
});

test('a run that fails is reported, and the next one comes', async () => {
  const onError = vi.fn();
  const { runs } = repeated(onError);
  await vi.advanceTimersByTimeAsync(1_000);
  const error = new Error('no database');
  runs[0]?.end(error);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(onError.mock.calls).toEqual([[error]]);
  expect(runs).toHaveLength(2);
});

test('wake runs it now, and never twice at the same time', async () => {
  const { runs, wake } = repeated();
  wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toHaveLength(1);
  wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toHaveLength(1);
});

test('stop aborts the run under way, waits for it, and begins no other', async () => {
  const { runs, stop, wake } = repeated();
  await vi.advanceTimersByTimeAsync(1_000);
  const stopped = vi.fn();
  const stopping = stop().then(stopped);
  await vi.advanceTimersByTimeAsync(0);
  expect(runs[0]?.signal.aborted).toBe(true);
  expect(stopped).not.toHaveBeenCalled();
  runs[0]?.end();
  await stopping;
  wake();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(runs).toHaveLength(1);
});
