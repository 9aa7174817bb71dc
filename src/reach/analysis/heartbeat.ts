import { formatCount } from '../../shared/text/number-text.js';
import type { SourceTree } from '../languages/source-tree.js';

/** Milliseconds between two reports. */
const interval = 250;

/**
 * The tree, which reports how many files were read and how fast. Readers of languages need not care: they work on one thread for
 * long, so a timer would not run, but they read file by file.
 *
 * @param now milliseconds of a clock that never goes back
 */
export function withHeartbeat<Tree extends SourceTree>(
  tree: Tree,
  progress: (step: string) => void,
  now: () => number = () => performance.now(),
): Tree {
  let files = 0;
  let start: number | null = null;
  let last = 0;
  const beat = () => {
    files += 1;
    const time = now();
    start ??= time;
    if (time - Math.max(start, last) < interval) return;
    last = time;
    const rate = Math.round(files / ((time - start) / 1000));
    progress(`reading files: ${formatCount(files)}, ${formatCount(rate)} a second`);
  };
  return {
    ...tree,
    read: (path) => {
      beat();
      return tree.read(path);
    },
    search: (path, take) => {
      beat();
      return tree.search(path, take);
    },
  };
}
