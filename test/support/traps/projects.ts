/** What a package of a written npm lock file has, besides its name. */
interface Locked {
  readonly dev?: boolean;
  readonly needs?: readonly string[];
  readonly peers?: readonly string[];
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
  const locked = Object.entries(packages).map(([name, { dev = false, needs = [], peers = [] }]) => [
    `node_modules/${name}`,
    {
      version,
      ...(dev && { dev }),
      ...(needs.length > 0 && { dependencies: ranges(needs) }),
      ...(peers.length > 0 && { peerDependencies: ranges(peers) }),
    },
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

/** A manifest and a lock file of uv. */
export function uvProject(names: readonly string[], dependencies = names): Record<string, string> {
  const wanted = dependencies.map((name) => `{ name = "${name}" }`).join(', ');
  const locked = names.map(
    (name) =>
      `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = { registry = "https://pypi.org/simple" }\n`,
  );
  // A lock file that says what brings a package in, so that its edges count as known.
  const linked = ['host', 'guest'].map(
    (name) =>
      `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = { registry = "https://pypi.org/simple" }\n${name === 'host' ? 'dependencies = [{ name = "guest" }]\n' : ''}`,
  );
  const own = `[[package]]\nname = "app"\nversion = "${version}"\nsource = { virtual = "." }\ndependencies = [${wanted}]\n`;
  return {
    'pyproject.toml': `[project]\nname = "app"\nversion = "${version}"\ndependencies = ${JSON.stringify(dependencies)}\n`,
    'uv.lock': `version = 1\n\n${[own, ...linked, ...locked].join('\n')}`,
  };
}

/** A manifest and a lock file of Composer. */
export function composerProject(packages: readonly object[], names: readonly string[]): Record<string, string> {
  return {
    'composer.json': JSON.stringify({ require: Object.fromEntries(names.map((name) => [name, '^1.0'])) }),
    'composer.lock': JSON.stringify({ packages, 'packages-dev': [] }),
  };
}
