import type { Rows } from '../knowledge/knowledge-file.js';

/**
 * The packages that provide a module, by its name.
 *
 * @param known a package as the lock files name it; undefined for one that they do not have, which is left out
 */
export function packageTable(
  rows: Rows,
  known: (packageName: string) => string | undefined,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(rows).map(([module, packages]) => [module, packages.flatMap((name) => known(name) ?? [])]),
  );
}

/** Modules whose packages are remembered; hostile source names more. */
const maxRemembered = 100_000;

/** The same function, which answers for a module it was asked before without searching again. */
export function remembering(find: (module: string) => readonly string[]): (module: string) => readonly string[] {
  const found = new Map<string, readonly string[]>();
  return (module) => {
    const known = found.get(module);
    if (known !== undefined) return known;
    const packages = find(module);
    if (found.size < maxRemembered) found.set(module, packages);
    return packages;
  };
}
