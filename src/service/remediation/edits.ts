import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { isCompatible } from './jump.js';
import { isShellWord } from './shell-word.js';

/** One version of a package in one source of a stack. */
export interface Place {
  readonly source: string;
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  /** As the source spells it. */
  readonly name: string;
  readonly version: string;
  readonly direct: boolean | null;
  /** Another package of the source needs it. */
  readonly needed: boolean;
  /** Keys of what carries a copy in its archive, where an override cannot reach it. */
  readonly bundled_in: readonly string[] | null;
}

export interface Edit {
  readonly file: string;
  readonly change: string;
}

/** A step from all affected versions that begin at `start` (null: at the first) to one version. */
export interface Move {
  readonly start: string | null;
  readonly to: string;
}

/** How a place comes to another version. `parent`: only a newer version of what brings it in can do it. */
export type Way =
  | {
      readonly how: 'direct' | 'override' | 'unknown';
      readonly edits: readonly Edit[];
      /** The tool takes exactly this version. Where not, ranges of others can forbid it. */
      readonly certain: boolean;
    }
  | { readonly how: 'parent' };

/** What is written where, for a package that the project asks for and for one that others bring in. */
interface Rule {
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

const npm = node('overrides', true);

/** By the lock file's name, in small letters. */
const rules: Readonly<Record<string, Rule>> = {
  'package-lock.json': npm,
  'npm-shrinkwrap.json': npm,
  'pnpm-lock.yaml': node('pnpm.overrides', true),
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

/** Lock files that several tools write, so that it is not known which file is to be changed. */
export const withoutManifest: ReadonlySet<string> = new Set(['pylock.toml']);

/** Whether there is a rule for a lock file of this name. */
export function hasRule(lockfile: string): boolean {
  return Object.hasOwn(rules, lockfile.toLowerCase());
}

/** How the place comes to the move's version. A source that is no lock file, as an SBOM, does not say which file is to be changed. */
export function wayTo({ source, ecosystem, name, version, direct, needed }: Place, move: Move): Way {
  const { folder, file } = partsOf(source);
  const rule = ruleOf(source);
  if (rule === undefined) {
    const how = direct === null ? 'unknown' : direct ? 'direct' : 'override';
    // Only npm's archives carry others, and only its lock files say so.
    return { how, edits: [], certain: !withoutManifest.has(file) && (ecosystem !== 'npm' || !needed) };
  }
  const own = { file: `${folder}${rule.manifest}`, change: rule.direct(name, move.to) };
  const change = rule.override(name, version, move);
  const override = change === null ? [] : [{ file: `${folder}${rule.overridesIn ?? rule.manifest}`, change }];
  const certain = rule.refuses !== true || !needed;
  if (direct === null) return { how: 'unknown', edits: [own], certain: rule.refuses !== true };
  if (direct) return { how: 'direct', edits: needed && rule.nests ? [own, ...override] : [own], certain };
  return override.length === 0 ? { how: 'parent' } : { how: 'override', edits: override, certain };
}

/** What reaches versions that a new version of a parent may bring in: none where an override names no versions, or there is none. */
export function overridesOf({ source, name, version, direct, needed }: Place, move: Move): Edit[] {
  const rule = ruleOf(source);
  if (rule === undefined || !keysVersions(source) || (direct === true && !needed)) return [];
  const change = rule.override(name, version, move);
  return change === null ? [] : [{ file: `${partsOf(source).folder}${rule.manifest}`, change }];
}

/**
 * What keeps a direct dependency beside an override of the same package: npm refuses one whose range takes an overridden version.
 * Null where none is needed.
 */
export function keptBeside({ source, name, version, direct }: Place, isAbove: boolean): Edit | null {
  const rule = ruleOf(source);
  if (direct !== true || rule !== npm) return null;
  const { folder } = partsOf(source);
  return { file: `${folder}${rule.manifest}`, change: rule.direct(name, isAbove ? `^${version}` : version) };
}

/** Whether an override in the source replaces every installed version of a package. */
export function replacesAll(source: string): boolean {
  return ruleOf(source)?.replacesAll === true;
}

/** Whether an override in the source names the versions that it replaces. */
export function keysVersions(source: string): boolean {
  const rule = ruleOf(source);
  return rule?.nests === true && rule.replacesAll !== true;
}

/** Whether npm resolves the source. */
export function isOfNpm(source: string): boolean {
  return ruleOf(source) === npm;
}

function ruleOf(source: string): Rule | undefined {
  const { file } = partsOf(source);
  return hasRule(file) ? rules[file.toLowerCase()] : undefined;
}

/** A source is `repository:path`. */
function partsOf(source: string): { readonly folder: string; readonly file: string } {
  const end = Math.max(source.lastIndexOf('/'), source.lastIndexOf(':')) + 1;
  return { folder: source.slice(0, end), file: source.slice(end) };
}
