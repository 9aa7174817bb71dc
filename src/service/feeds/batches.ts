/** A batch is handed on when it reaches one of these. */
export interface BatchLimits<T> {
  readonly count: number;
  readonly bytes: number;
  readonly sizeOf: (record: T) => number;
}

/** Gathers records into batches. Only one batch is in memory: nothing more is read while the caller works on it. */
export async function* inBatches<T>(records: AsyncIterable<T>, limits: BatchLimits<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for await (const record of records) {
    batch.push(record);
    bytes += limits.sizeOf(record);
    if (batch.length >= limits.count || bytes >= limits.bytes) {
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
