import { isCompatible } from './jump.js';
import { isShellWord } from './shell-word.js';
import { isBefore, type Version, versionOf } from './tool-version.js';

/** A step from all affected versions that begin at `start` (null: at the first) to one version. */
export interface Move {
  readonly start: string | null;
  readonly to: string;
}

/** A package of the same source that asks for another one, and the version that it gets. */
export interface Asking {
  readonly name: string;
  readonly range: string | null;
  readonly gets: string;
}

/**
 * What an override's key can be limited to. `versions`: the tool compares the key's range with the one that each package asks for;
 * `ranges`: it takes the key where a package asks for exactly this range; `askers`: below packages of one name. Null: an override
 * replaces all versions.
 */
type Limit = 'versions' | 'ranges' | 'askers' | null;

/** What is written where, for a package that the project asks for and for one that others bring in. */
export interface Rule {
  /** Beside the lock file. */
  readonly manifest: string;
  direct(name: string, to: string): string;
  /** None where the tool has no way to it. */
  override(name: string, from: string, move: Move, askings: readonly Asking[]): readonly string[];
  /** The tool installs a package once for each who needs it, so the project's own version is not that of others. */
  readonly nests?: { readonly limit: Limit };
  /** A requirement beside those of others: where these forbid the version, the tool refuses. */
  readonly refuses?: boolean;
  /** Of an override, where it is another one. */
  readonly overridesIn?: string;
}

const nodeDirect = (name: string, to: string) => `"${name}": "${to}"`;
const node = (field: string, limit: Limit, end: '<' | '<=' = '<'): Rule => ({
  manifest: 'package.json',
  nests: { limit },
  direct: nodeDirect,
  override: (name, _from, move, askings) => {
    const keys = limit === 'versions' ? [`${name}@${rangeOf(move, end)}`] : keysOf(limit, name, askings);
    return keys.map((key) => `${field}: "${key}": "${move.to}"`);
  },
});

/** All the affected versions below the target, because a new version of a parent may ask for another one of them. */
function rangeOf({ start, to }: Move, end: string): string {
  return start === null ? `${end}${to}` : `>=${start} ${end}${to}`;
}

/** Each once. Without a word of who asks, the key is for all versions. */
function keysOf(limit: Limit, name: string, askings: readonly Asking[]): readonly string[] {
  if (limit === null || askings.length === 0) return [name];
  // Yarn 2 and 3 do not take the key with a protocol, as the lock file has it; without one Yarn 4 takes it too.
  const keys = askings.map((each) => (limit === 'ranges' ? `${name}@${each.range}` : `**/${each.name}/${name}`));
  return [...new Set(keys)];
}

/** Both have no override: a requirement of the project itself holds for all. */
const own = (manifest: string, line: (name: string, to: string) => string): Rule => ({
  manifest,
  refuses: true,
  direct: line,
  override: (name, _from, { to }) => [line(name, to)],
});

const gem = (name: string, to: string) => `gem "${name}", "${to}"`;

const python = (override: (name: string, to: string) => string): Rule => ({
  manifest: 'pyproject.toml',
  direct: (name, to) => `"${name}==${to}"`,
  override: (name, _from, { to }) => [override(name, to)],
});

/** npm before 11 lets an override fall away whose key does not take the version that it leads to. */
export const npm = node('overrides', 'versions', '<=');

/** pnpm takes overrides from its workspace file since 10.5.2, and since 11 from there alone. */
export const pnpm: Rule = { ...node('overrides', 'versions'), overridesIn: 'pnpm-workspace.yaml' };
const oldPnpm = node('pnpm.overrides', 'versions');

/** By the lock file's name, in small letters. */
const rules: Readonly<Record<string, Rule>> = {
  'package-lock.json': npm,
  'npm-shrinkwrap.json': npm,
  'pnpm-lock.yaml': pnpm,
  'yarn.lock': node('resolutions', null),
  'bun.lock': node('overrides', null),
  'uv.lock': python((name, to) => `tool.uv.override-dependencies: "${name}==${to}"`),
  'pdm.lock': python((name, to) => `tool.pdm.resolution.overrides: ${name} = "${to}"`),
  'poetry.lock': own('pyproject.toml', (name, to) => `${name} = "${to}"`),
  'pipfile.lock': own('Pipfile', (name, to) => `${name} = "==${to}"`),
  'requirements.txt': own('requirements.txt', (name, to) => `${name}==${to}`),
  // Go takes the highest version that anything requires, so this one at least.
  'go.mod': { ...own('go.mod', (name, to) => `require ${name} ${to}`), refuses: false },
  'gemfile.lock': own('Gemfile', gem),
  'gems.locked': own('gems.rb', gem),
  'composer.lock': own('composer.json', (name, to) => `"${name}": "${to}"`),
  'cargo.lock': {
    manifest: 'Cargo.toml',
    direct: (name, to) => `${name} = "${to}"`,
    // Cargo keeps to the ranges of who asks: an incompatible version needs another parent.
    override: (name, from, { to }) =>
      isCompatible(from, to) && [name, from].every(isShellWord)
        ? [`cargo update -p ${name}@${from} --precise ${to}`]
        : [],
    overridesIn: 'Cargo.lock',
  },
  'gradle.lockfile': {
    manifest: 'build.gradle',
    direct: (name, to) => `implementation("${name}:${to}")`,
    override: (name, _from, { to }) => [`constraints { implementation("${name}:${to}") }`],
  },
  'pom.xml': {
    manifest: 'pom.xml',
    direct: (name, to) => `${name}: <version>${to}</version>`,
    override: (name, _from, { to }) => [`dependencyManagement: ${name}: <version>${to}</version>`],
  },
  'packages.lock.json': {
    manifest: '*.csproj',
    direct: (name, to) => `<PackageReference Include="${name}" Version="${to}" />`,
    override: (name, _from, { to }) => [`<PackageReference Include="${name}" Version="${to}" />`],
  },
};

/** Whether there is a rule for a lock file of this name. */
export function hasRule(lockfile: string): boolean {
  return Object.hasOwn(rules, lockfile.toLowerCase());
}

/** Whether the tool installs one version of a package for all who ask for it. Cargo has one of each compatible line. */
export function hasOneVersion(source: string): boolean {
  const rule = ruleOf(source);
  return rule !== undefined && rule.nests === undefined && rule.manifest !== 'Cargo.toml';
}

/** Whose overrides depend on the version of the tool: from which one, the newest first. */
const byVersion: Readonly<Record<string, readonly (readonly [since: Version, rule: Rule])[]>> = {
  // https://pnpm.io/settings#overrides
  'pnpm-lock.yaml': [
    [[10, 6], pnpm],
    [[0, 0], oldPnpm],
  ],
  // https://yarnpkg.com/configuration/manifest#resolutions, https://classic.yarnpkg.com/docs/selective-version-resolutions
  'yarn.lock': [
    [[2, 0], node('resolutions', 'ranges')],
    [[0, 0], node('resolutions', 'askers')],
  ],
  // Before 1.4 a key with a version is ignored.
  'bun.lock': [[[1, 4], node('overrides', 'versions')]],
};

/** The rule for a lock file of the tool; where the tool's version is not known, one that any version takes or, for pnpm, the newest. */
export function ruleOf(source: string, tool: string | null = null): Rule | undefined {
  const file = partsOf(source).file.toLowerCase();
  if (!hasRule(file)) return undefined;
  const version = versionOf(tool);
  // pnpm 10 reads overrides in package.json alone where there are some.
  if (file === 'pnpm-lock.yaml' && version?.[0] === 10 && tool?.endsWith(' package.json') === true) return oldPnpm;
  const [, own] = version === null ? [] : (byVersion[file]?.find(([since]) => !isBefore(version, since)) ?? []);
  return own ?? rules[file];
}

/** A source is `repository:path`. */
export function partsOf(source: string): { readonly folder: string; readonly file: string } {
  const end = Math.max(source.lastIndexOf('/'), source.lastIndexOf(':')) + 1;
  return { folder: source.slice(0, end), file: source.slice(end) };
}
