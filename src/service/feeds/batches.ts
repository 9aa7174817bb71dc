import type { Pace } from '../jobs/pace.js';

interface Batch<T> {
  readonly records: readonly T[];
  /** The sum of the records' weights, by which the pace learns how many fit into one transaction. */
  readonly weight: number;
}

/**
 * Gathers records into batches of as much weight as the pace allows. Only one batch is in memory: nothing more is read while
 * the caller works on it.
 */
export async function* inBatches<T>(
  records: AsyncIterable<T>,
  pace: Pace,
  weightOf: (record: T) => number,
): AsyncGenerator<Batch<T>> {
  let batch: T[] = [];
  let weight = 0;
  for await (const record of records) {
    batch.push(record);
    weight += weightOf(record);
    if (weight >= pace.rows) {
      yield { records: batch, weight };
      batch = [];
      weight = 0;
    }
  }
  if (batch.length > 0) yield { records: batch, weight };
}

/** Weight of a record that is written as JSON: one for each kilobyte that it begins. */
export function weightOfJson({ json }: { readonly json: string }): number {
  return 1 + Math.floor(json.length / 1024);
}
