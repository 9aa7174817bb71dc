import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';
import type { Random } from './random-feeds.js';

/** A package at one version, as a lock file names it. */
interface Listed {
  readonly name: string;
  readonly version: string;
}

/** A lock file by its name. Each also lists a package that is surely read. */
export interface LockFile {
  readonly file: string;
  readonly text: string;
}

const npm = (entries: object): LockFile => ({
  file: 'package-lock.json',
  text: JSON.stringify({
    lockfileVersion: 3,
    packages: { 'node_modules/seen-by-all': { version: '9.0.0' }, ...entries },
  }),
});
const pnpm = (key: string, reference: string, entry: string): LockFile => ({
  file: 'pnpm-lock.yaml',
  text: `lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      '${key}': {specifier: '${reference}', version: '${reference}'}\npackages:\n  seen-by-all@9.0.0: {resolution: {integrity: x}}\n${entry}snapshots:\n  seen-by-all@9.0.0: {}\n`,
});
const yarn = (pattern: string, version: string, more = ''): LockFile => ({
  file: 'yarn.lock',
  text: `# yarn lockfile v1\n\n"${pattern}":\n  version "${version}"\n${more}\nseen-by-all@9:\n  version "9.0.0"\n`,
});
const poetry = (packages: string): LockFile => ({
  file: 'poetry.lock',
  text: `[[package]]\nname = "seen-by-all"\nversion = "9.0.0"\n\n${packages}\n[metadata]\ncontent-hash = "x"\n`,
});
const poetryPackage = ({ name, version }: Listed, source = '') =>
  `[[package]]\nname = "${name}"\nversion = "${version}"\n${source === '' ? '' : `[package.source]\n${source}\n`}\n`;
const requirements = (line: string): LockFile => ({ file: 'requirements.txt', text: `seen-by-all==9.0.0\n${line}\n` });
const pom = (dependency: string): LockFile => ({
  file: 'pom.xml',
  text: `<project><dependencies><dependency><groupId>seen</groupId><artifactId>by-all</artifactId><version>9.0</version></dependency>${dependency}</dependencies></project>`,
});
const pomDependency = (name: string, version: string) => {
  const [group, artifact] = name.split(':');
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>${version}</dependency>`;
};
const goMod = (lines: string): LockFile => ({
  file: 'go.mod',
  text: `module example.org/of-the-worlds\ngo 1.26.0\nrequire example.org/seen-by-all v9.0.0\n${lines}`,
});
const cargo = (packages: string): LockFile => ({
  file: 'Cargo.lock',
  text: `version = 3\n[[package]]\nname = "seen-by-all"\nversion = "9.0.0"\nsource = "registry+https://example.org"\n${packages}`,
});
const crate = ({ name, version }: Listed, source: string) =>
  `[[package]]\nname = "${name}"\nversion = "${version}"\n${source === '' ? '' : `source = "${source}"\n`}`;
const gemfile = (section: string): LockFile => ({
  file: 'Gemfile.lock',
  text: `${section}GEM\n  remote: https://example.org/\n  specs:\n    seen-by-all (9.0.0)\n`,
});
const composer = (...packages: readonly object[]): LockFile => ({
  file: 'composer.lock',
  text: JSON.stringify({
    packages: [{ name: 'seen/by-all', version: '9.0.0', 'notification-url': 'https://example.org/' }, ...packages],
  }),
});
const nuget = (entries: object): LockFile => ({
  file: 'packages.lock.json',
  text: JSON.stringify({
    version: 1,
    dependencies: { 'net8.0': { SeenByAll: { type: 'Direct', resolved: '9.0.0' }, ...entries } },
  }),
});

/** Lock files that name all packages of a build, with these among them. */
export const complete: Readonly<Record<Ecosystem, (packages: readonly Listed[]) => LockFile>> = {
  npm: (all) => npm(Object.fromEntries(all.map(({ name, version }) => [`node_modules/${name}`, { version }]))),
  PyPI: (all) => poetry(all.map((each) => poetryPackage(each)).join('')),
  Maven: (all) => ({
    file: 'gradle.lockfile',
    text: `seen:by-all:9.0=a\n${all.map(({ name, version }) => `${name}:${version}=a\n`).join('')}empty=\n`,
  }),
  Go: (all) => goMod(all.map(({ name, version }) => `require ${name} v${version}\n`).join('')),
  'crates.io': (all) => cargo(all.map((each) => crate(each, 'registry+https://example.org')).join('')),
  RubyGems: (all) =>
    gemfile(
      all.length === 0
        ? ''
        : `GEM\n  remote: https://example.org/\n  specs:\n${all.map(({ name, version }) => `    ${name} (${version})\n`).join('')}\n`,
    ),
  Packagist: (all) => composer(...all.map((each) => ({ ...each, 'notification-url': 'https://example.org/' }))),
  NuGet: (all) =>
    nuget(Object.fromEntries(all.map(({ name, version }) => [name, { type: 'Direct', resolved: version }]))),
};

const forms: Readonly<Record<Ecosystem, readonly ((listed: Listed) => LockFile)[]>> = {
  npm: [
    ({ name }) => npm({ [`node_modules/${name}`]: { version: 'git+ssh://git@example.org/a.git#abc' } }),
    ({ name }) => npm({ [`node_modules/${name}`]: { link: true, resolved: 'vendor/a' } }),
    ({ name, version }) => npm({ [`node_modules/${name}`]: { version, resolved: 'https://example.org/a.tgz' } }),
    ({ name, version }) =>
      npm({ [`node_modules/${name}`]: { version, resolved: 'git+https://example.org/a.git#abc' } }),
    ({ name }) => pnpm(name, 'link:../a', ''),
    ({ name }) => pnpm(name, 'file:../a', `  '${name}@file:../a': {resolution: {directory: ../a, type: directory}}\n`),
    ({ name, version }) => yarn(`${name}@file:./a`, version),
    ({ name, version }) => yarn(`${name}@link:./a`, version),
    ({ name, version }) =>
      yarn(`${name}@acme/a`, version, '  resolved "https://codeload.example.org/acme/a/tar.gz/1"\n'),
  ],
  PyPI: [
    ({ name }) => requirements(`${name}>=1`),
    ({ name }) => requirements(name),
    ({ name }) => requirements(`${name} @ https://example.org/a.whl`),
    () => requirements('git+https://example.org/acme/fork.git'),
    () => requirements('-r gone.txt'),
    () => requirements('# more is installed'),
    (listed) => poetry(poetryPackage(listed, 'type = "git"\nurl = "https://example.org/a.git"')),
    (listed) => poetry(poetryPackage(listed, 'type = "directory"\nurl = "vendor/a"')),
    ({ name }) => ({
      file: 'Pipfile.lock',
      text: JSON.stringify({
        _meta: {},
        default: { 'seen-by-all': { version: '==9.0.0' } },
        docs: { [name]: { git: 'https://example.org/a' } },
      }),
    }),
  ],
  Maven: [
    ({ name }) => pom(pomDependency(name, '<version>${its.version}</version>')),
    ({ name }) => pom(pomDependency(name, '')),
    ({ name }) => pom(pomDependency(name, '<version>[1,3)</version>')),
    ({ name }) => pom(pomDependency(name, '<version>LATEST</version>')),
    () => pom(pomDependency('${a}:b', '<version>1</version>')),
    () => pom(''),
  ],
  Go: [
    ({ name, version }) => goMod(`require ${name} v${version}\nreplace ${name} => ../a\n`),
    ({ name, version }) => goMod(`require ${name} v${version}\nreplace ${name} => example.org/fork v9.0.0\n`),
    () => ({ file: 'go.mod', text: 'module example.org/old\ngo 1.15\nrequire example.org/seen-by-all v9.0.0\n' }),
  ],
  'crates.io': [
    (listed) => cargo(crate(listed, 'git+https://example.org/a#abc')),
    (listed) => cargo(crate(listed, '')),
  ],
  RubyGems: [
    ({ name, version }) => gemfile(`GIT\n  remote: https://example.org/a.git\n  specs:\n    ${name} (${version})\n\n`),
    ({ name, version }) => gemfile(`PATH\n  remote: vendor/a\n  specs:\n    ${name} (${version})\n\n`),
  ],
  Packagist: [
    ({ name }) => composer({ name, version: 'dev-main', 'notification-url': 'x' }),
    ({ name }) => composer({ name, version: '9999999-dev', 'notification-url': 'x' }),
    ({ name }) => composer({ name, version: '9.1.x-dev', 'notification-url': 'x' }),
    ({ name, version }) => composer({ name, version, dist: { type: 'path', url: './a' } }),
    ({ name, version }) => composer({ name, version, source: { type: 'git', url: 'https://example.org/a.git' } }),
  ],
  NuGet: [({ name }) => nuget({ [name]: { type: 'Project' } }), ({ name }) => nuget({ [name]: { type: 'Direct' } })],
};

/** A lock file that has the package in a way that nobody can place, or that may hide it. */
export function hidingFile(ecosystem: Ecosystem, listed: Listed, random: Random): LockFile {
  return random.pick(forms[ecosystem])(listed);
}
