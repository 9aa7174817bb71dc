/** Which files a file loads when it runs. */
export interface Loads {
  readonly surely: readonly string[];
  /** Those that it may load: settling the file tells. */
  readonly perhaps: readonly string[];
}

/**
 * The files that are reached from the entries, themselves included. A file is settled only where what it may load is
 * reached in no other way.
 */
export async function reachedFrom(
  entries: Iterable<string>,
  loadsOf: (file: string) => Loads,
  settle: (file: string) => Promise<void>,
): Promise<ReadonlySet<string>> {
  const reached = new Set(entries);
  const open = [...reached];
  const unsettled: string[] = [];
  const follow = ({ surely }: Loads) => {
    for (const target of surely) {
      if (reached.has(target)) continue;
      reached.add(target);
      open.push(target);
    }
  };
  for (;;) {
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      const loads = loadsOf(file);
      follow(loads);
      if (loads.perhaps.length > 0) unsettled.push(file);
    }
    const file = unsettled.pop();
    if (file === undefined) return reached;
    if (loadsOf(file).perhaps.every((target) => reached.has(target))) continue;
    await settle(file);
    follow(loadsOf(file));
  }
}
