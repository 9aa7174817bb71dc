/** The files that are reached from the entries, themselves included. */
export function reachedFrom(
  entries: Iterable<string>,
  edges: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const reached = new Set(entries);
  const open = [...reached];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const target of edges.get(file) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      open.push(target);
    }
  }
  return reached;
}
