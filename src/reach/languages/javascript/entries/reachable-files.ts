import type { LoadedFrom } from '../../language-reader.js';

/** A place of a file that loads other files when the file runs. */
export interface FileLoad {
  readonly files: readonly string[];
  /** Lines count from 1. */
  readonly line: number;
  /** False where TypeScript may erase the import. */
  readonly isCertain: boolean;
}

/**
 * The files that are reachable from the entry points, entry points included. Whether a possible import is erased costs a
 * second reading of the file, so it is decided only for files with a target that is reachable in no other way.
 *
 * @param decideErasure makes each possible import of the file certain or drops it
 * @returns each file with the place that a shortest way takes to it, null for entry points
 */
export async function findReachable(
  entries: Iterable<string>,
  loadedBy: (file: string) => readonly FileLoad[],
  decideErasure: (file: string) => Promise<void>,
): Promise<ReadonlyMap<string, LoadedFrom | null>> {
  const starts = [...entries];
  const reachable = new Set(starts);
  const pending = [...reachable];
  const undecided: string[] = [];
  const addCertain = (loads: readonly FileLoad[]) => {
    for (const { files, isCertain } of loads) {
      for (const file of isCertain ? files : []) {
        if (reachable.has(file)) continue;
        reachable.add(file);
        pending.push(file);
      }
    }
  };
  for (;;) {
    for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
      const loads = loadedBy(file);
      addCertain(loads);
      if (loads.some(({ isCertain }) => !isCertain)) undecided.push(file);
    }
    const file = undecided.pop();
    if (file === undefined) return nearestFirst(starts, loadedBy);
    const isDecided = loadedBy(file).every(
      ({ isCertain, files }) => isCertain || files.every((one) => reachable.has(one)),
    );
    if (isDecided) continue;
    await decideErasure(file);
    addCertain(loadedBy(file));
  }
}

/** The reachable files in the order of their distance from the entry points, by the imports that are certain. */
function nearestFirst(
  entries: readonly string[],
  loadedBy: (file: string) => readonly FileLoad[],
): ReadonlyMap<string, LoadedFrom | null> {
  const found = new Map<string, LoadedFrom | null>(entries.map((file) => [file, null]));
  // A map also visits what is added to it meanwhile.
  for (const from of found.keys()) {
    for (const { files, line, isCertain } of loadedBy(from)) {
      for (const file of isCertain ? files : []) if (!found.has(file)) found.set(file, { file: from, line });
    }
  }
  return found;
}
