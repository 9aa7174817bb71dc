import { setImmediate } from 'node:timers/promises';

/** Milliseconds for which one request's work may hold the process. */
const longestHold = 10;

/**
 * For long loops, which call it at every step: now and then it waits until other requests have had their turn. Short work
 * never waits.
 */
export function yieldToEventLoop(): () => Promise<void> | undefined {
  let begun = performance.now();
  return () => {
    if (performance.now() - begun < longestHold) return undefined;
    return setImmediate().then(() => {
      begun = performance.now();
    });
  };
}
