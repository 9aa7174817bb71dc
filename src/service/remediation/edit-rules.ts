import { isCompatible } from './jump.js';
import { isShellWord } from './shell-word.js';

/** A step from all affected versions that begin at `start` (null: at the first) to one version. */
export interface Move {
  readonly start: string | null;
  readonly to: string;
}

/** What is written where, for a package that the project asks for and for one that others bring in. */
export interface Rule {
  /** Beside the lock file. */
  readonly manifest: string;
  direct(name: string, to: string): string;
  /** Null where the tool has no way to it. */
  override(name: string, from: string, move: Move): string | null;
  /** The tool installs a package once for each who needs it, so the project's own version is not that of others. */
  readonly nests?: boolean;
  /** An override names no version: it replaces all that are installed. */
  readonly replacesAll?: boolean;
  /** A requirement beside those of others: where these forbid the version, the tool refuses. */
  readonly refuses?: boolean;
  /** Of an override, where it is another one. */
  readonly overridesIn?: string;
}

const nodeDirect = (name: string, to: string) => `"${name}": "${to}"`;
const node = (field: string, keyed: boolean): Rule => ({
  manifest: 'package.json',
  nests: true,
  replacesAll: !keyed,
  direct: nodeDirect,
  override: (name, _from, move) => `${field}: "${keyed ? `${name}@${rangeOf(move)}` : name}": "${move.to}"`,
});

/** All the affected versions below the target, because a new version of a parent may ask for another one of them. */
function rangeOf({ start, to }: Move): string {
  return start === null ? `<${to}` : `>=${start} <${to}`;
}

/** Both have no override: a requirement of the project itself holds for all. */
const own = (manifest: string, line: (name: string, to: string) => string): Rule => ({
  manifest,
  refuses: true,
  direct: line,
  override: (name, _from, { to }) => line(name, to),
});

const python = (override: (name: string, to: string) => string): Rule => ({
  manifest: 'pyproject.toml',
  direct: (name, to) => `"${name}==${to}"`,
  override: (name, _from, { to }) => override(name, to),
});

export const npm = node('overrides', true);

/** pnpm takes overrides from its workspace file since 10.5, and since 11 from there alone (https://pnpm.io/settings#overrides). */
export const pnpm: Rule = { ...node('overrides', true), overridesIn: 'pnpm-workspace.yaml' };
const oldPnpm = node('pnpm.overrides', true);

/** By the lock file's name, in small letters. */
const rules: Readonly<Record<string, Rule>> = {
  'package-lock.json': npm,
  'npm-shrinkwrap.json': npm,
  'pnpm-lock.yaml': pnpm,
  'yarn.lock': node('resolutions', false),
  'bun.lock': node('overrides', false),
  'uv.lock': python((name, to) => `tool.uv.override-dependencies: "${name}==${to}"`),
  'pdm.lock': python((name, to) => `tool.pdm.resolution.overrides: ${name} = "${to}"`),
  'poetry.lock': own('pyproject.toml', (name, to) => `${name} = "${to}"`),
  'pipfile.lock': own('Pipfile', (name, to) => `${name} = "==${to}"`),
  'requirements.txt': own('requirements.txt', (name, to) => `${name}==${to}`),
  // Go takes the highest version that anything requires, so this one at least.
  'go.mod': { ...own('go.mod', (name, to) => `require ${name} ${to}`), refuses: false },
  'gemfile.lock': own('Gemfile', (name, to) => `gem "${name}", "${to}"`),
  'composer.lock': own('composer.json', (name, to) => `"${name}": "${to}"`),
  'cargo.lock': {
    manifest: 'Cargo.toml',
    direct: (name, to) => `${name} = "${to}"`,
    // Cargo keeps to the ranges of who asks: an incompatible version needs another parent.
    override: (name, from, { to }) =>
      isCompatible(from, to) && [name, from].every(isShellWord)
        ? `cargo update -p ${name}@${from} --precise ${to}`
        : null,
    overridesIn: 'Cargo.lock',
  },
  'gradle.lockfile': {
    manifest: 'build.gradle',
    direct: (name, to) => `implementation("${name}:${to}")`,
    override: (name, _from, { to }) => `constraints { implementation("${name}:${to}") }`,
  },
  'pom.xml': {
    manifest: 'pom.xml',
    direct: (name, to) => `${name}: <version>${to}</version>`,
    override: (name, _from, { to }) => `dependencyManagement: ${name}: <version>${to}</version>`,
  },
  'packages.lock.json': {
    manifest: '*.csproj',
    direct: (name, to) => `<PackageReference Include="${name}" Version="${to}" />`,
    override: (name, _from, { to }) => `<PackageReference Include="${name}" Version="${to}" />`,
  },
};

/** Whether there is a rule for a lock file of this name. */
export function hasRule(lockfile: string): boolean {
  return Object.hasOwn(rules, lockfile.toLowerCase());
}

/** Major and minor of pnpm; null for another tool or an unknown version. */
export function pnpmVersion(tool: string | null): readonly [major: number, minor: number] | null {
  const [, major, minor] = /^pnpm@(\d+)\.(\d+)/.exec(tool ?? '') ?? [];
  return major === undefined ? null : [Number(major), Number(minor)];
}

export function ruleOf(source: string, tool: string | null = null): Rule | undefined {
  const { file } = partsOf(source);
  const [major = 11, minor = 0] = pnpmVersion(tool) ?? [];
  if (file === 'pnpm-lock.yaml' && (major < 10 || (major === 10 && minor < 5))) return oldPnpm;
  return hasRule(file) ? rules[file.toLowerCase()] : undefined;
}

/** A source is `repository:path`. */
export function partsOf(source: string): { readonly folder: string; readonly file: string } {
  const end = Math.max(source.lastIndexOf('/'), source.lastIndexOf(':')) + 1;
  return { folder: source.slice(0, end), file: source.slice(end) };
}
