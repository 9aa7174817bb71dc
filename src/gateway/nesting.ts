/** Levels of objects and lists in a request, at most: far more than any input has, far fewer than recursive code survives. */
const maxDepth = 64;

/** Whether a JSON value nests deeper than requests may. Level by level, so that depth costs no stack. */
export function nestsTooDeeply(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0) return false;
  }
  return true;
}
