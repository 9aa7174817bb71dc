/** The files that a file loads when it runs. */
export interface LoadedFiles {
  readonly certain: readonly string[];
  /** Files whose import TypeScript may erase. */
  readonly possible: readonly string[];
}

/**
 * The files that are reachable from the entry points, entry points included. Whether a possible import is erased costs a
 * second reading of the file, so it is decided only for files with a target that is reachable in no other way.
 *
 * @param decideErasure makes each possible import of the file certain or drops it
 */
export async function findReachable(
  entries: Iterable<string>,
  loadedBy: (file: string) => LoadedFiles,
  decideErasure: (file: string) => Promise<void>,
): Promise<ReadonlySet<string>> {
  const reachable = new Set(entries);
  const pending = [...reachable];
  const undecided: string[] = [];
  const addAll = (files: readonly string[]) => {
    for (const file of files) {
      if (reachable.has(file)) continue;
      reachable.add(file);
      pending.push(file);
    }
  };
  for (;;) {
    for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
      const { certain, possible } = loadedBy(file);
      addAll(certain);
      if (possible.length > 0) undecided.push(file);
    }
    const file = undecided.pop();
    if (file === undefined) return reachable;
    if (loadedBy(file).possible.every((target) => reachable.has(target))) continue;
    await decideErasure(file);
    addAll(loadedBy(file).certain);
  }
}
