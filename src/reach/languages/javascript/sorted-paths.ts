/** Paths in their order, so that those with one beginning follow each other. */
export class SortedPaths {
  readonly #paths: readonly string[];

  constructor(paths: Iterable<string>) {
    this.#paths = [...paths].sort();
  }

  /** The paths that begin with a text. */
  *startingWith(prefix: string): Generator<string> {
    for (let at = this.#firstIndex(prefix); ; at++) {
      const path = this.#paths[at];
      if (path === undefined || !path.startsWith(prefix)) return;
      yield path;
    }
  }

  /** The index of the first path that is not before the prefix. */
  #firstIndex(prefix: string): number {
    let low = 0;
    let high = this.#paths.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#paths[middle] ?? '') < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
