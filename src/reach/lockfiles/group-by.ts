/** The values by their key, in order; no group is empty. (`Map.groupBy` needs Node 21.) */
export function groupBy<T>(values: Iterable<T>, keyOf: (value: T) => string): Map<string, [T, ...T[]]> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
