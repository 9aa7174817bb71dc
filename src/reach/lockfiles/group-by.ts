/** The values by their key, in order; no group is empty. (`Map.groupBy` needs Node 21.) */
export function groupBy<K, T>(values: Iterable<T>, keyOf: (value: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const value of values) addTo(groups, keyOf(value), value);
  return groups;
}

/** Adds a value to the list of its key. */
export function addTo<K, T>(groups: Map<K, [T, ...T[]]>, key: K, value: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}
