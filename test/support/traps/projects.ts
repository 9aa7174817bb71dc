/** What a package of a written npm lock file has, besides its name. */
interface Locked {
  readonly dev?: boolean;
  readonly needs?: readonly string[];
}

/** Of every written package. */
export const version = '1.0.0';
const ranges = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `^${version}`]));

/** A manifest and a lock file of npm; packages that another one needs are not direct. */
export function npmProject(packages: Readonly<Record<string, Locked>>, manifest: object = {}): Record<string, string> {
  const needed = new Set(Object.values(packages).flatMap(({ needs = [] }) => needs));
  const direct = Object.keys(packages).filter((name) => !needed.has(name));
  const declared = {
    name: 'app',
    version,
    dependencies: ranges(direct.filter((name) => packages[name]?.dev !== true)),
    devDependencies: ranges(direct.filter((name) => packages[name]?.dev === true)),
  };
  const locked = Object.entries(packages).map(([name, { dev = false, needs = [] }]) => [
    `node_modules/${name}`,
    { version, ...(dev && { dev }), ...(needs.length > 0 && { dependencies: ranges(needs) }) },
  ]);
  return {
    'package.json': JSON.stringify({ ...declared, ...manifest }),
    'package-lock.json': JSON.stringify({
      name: 'app',
      lockfileVersion: 3,
      packages: { '': declared, ...Object.fromEntries(locked) },
    }),
  };
}
