/**
 * Reads a table from modules to the packages that provide them: rows of `module package,package`, separated by `|` or a line
 * end.
 *
 * @param known a package as the lock files name it; undefined for one that they do not have, which is left out
 */
export function packageTable(
  rows: string,
  known: (packageName: string) => string | undefined,
): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, readonly string[]>();
  for (const row of rows.split(/[|\n]/)) {
    const [module, packages] = row.split(' ');
    if (module && packages)
      table.set(
        module,
        packages.split(',').flatMap((name) => known(name) ?? []),
      );
  }
  return table;
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
