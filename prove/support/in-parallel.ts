/** Runs `work` on each entry, at most `concurrency` at a time. Results have the order of the entries. */
export async function inParallel<Entry, Result>(
  entries: readonly Entry[],
  concurrency: number,
  work: (entry: Entry, place: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    for (let place = next++; place < entries.length; place = next++) {
      const entry = entries[place];
      if (entry !== undefined) results[place] = await work(entry, place);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}
