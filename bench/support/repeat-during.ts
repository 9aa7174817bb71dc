import { setTimeout as delay } from 'node:timers/promises';

/** Repeats a measurement, with 20 ms between two, until the work ends. Returns both results. */
export async function repeatDuring<Result, Sample>(
  work: () => Promise<Result>,
  measure: () => Promise<Sample>,
): Promise<{ readonly result: Result; readonly samples: readonly Sample[] }> {
  const samples: Sample[] = [];
  let isRunning = true;
  const repeating = (async () => {
    while (isRunning) {
      samples.push(await measure());
      await delay(20);
    }
  })();
  const result = await work().finally(() => {
    isRunning = false;
  });
  await repeating;
  return { result, samples };
}
