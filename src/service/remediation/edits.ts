import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { isCompatible } from './jump.js';

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
}

export interface Edit {
  readonly file: string;
  readonly change: string;
}

/** How a place comes to another version. `parent`: only a newer version of what brings it in can do it. */
export type Way =
  | { readonly how: 'direct' | 'override' | 'unknown'; readonly edits: readonly Edit[] }
  | { readonly how: 'parent' };

/** What is written where, for a package that the project asks for and for one that others bring in. */
interface Rule {
  /** Beside the lock file. */
  readonly manifest: string;
  direct(name: string, to: string): string;
  /** Null where the tool has no way to it. */
  override(name: string, from: string, to: string): string | null;
  /** The tool installs a package once for each who needs it, so the project's own version is not that of others. */
  readonly nests?: boolean;
  /** Of an override, where it is another one. */
  readonly overridesIn?: string;
}

const nodeDirect = (name: string, to: string) => `"${name}": "${to}"`;
const node = (field: string, keyed: boolean): Rule => ({
  manifest: 'package.json',
  nests: true,
  direct: nodeDirect,
  override: (name, from, to) => `${field}: "${keyed ? `${name}@${from}` : name}": "${to}"`,
});

/** Both have no override: a requirement of the project itself holds for all. */
const own = (manifest: string, line: (name: string, to: string) => string): Rule => ({
  manifest,
  direct: line,
  override: (name, _from, to) => line(name, to),
});

const python = (override: (name: string, to: string) => string): Rule => ({
  manifest: 'pyproject.toml',
  direct: (name, to) => `"${name}==${to}"`,
  override: (name, _from, to) => override(name, to),
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
  'go.mod': own('go.mod', (name, to) => `require ${name} ${to}`),
  'gemfile.lock': own('Gemfile', (name, to) => `gem "${name}", "${to}"`),
  'composer.lock': own('composer.json', (name, to) => `"${name}": "${to}"`),
  'cargo.lock': {
    manifest: 'Cargo.toml',
    direct: (name, to) => `${name} = "${to}"`,
    // Cargo keeps to the ranges of who asks: an incompatible version needs another parent.
    override: (name, from, to) => (isCompatible(from, to) ? `cargo update -p ${name}@${from} --precise ${to}` : null),
    overridesIn: 'Cargo.lock',
  },
  'gradle.lockfile': {
    manifest: 'build.gradle',
    direct: (name, to) => `implementation("${name}:${to}")`,
    override: (name, _from, to) => `constraints { implementation("${name}:${to}") }`,
  },
  'pom.xml': {
    manifest: 'pom.xml',
    direct: (name, to) => `${name}: <version>${to}</version>`,
    override: (name, _from, to) => `dependencyManagement: ${name}: <version>${to}</version>`,
  },
  'packages.lock.json': {
    manifest: '*.csproj',
    direct: (name, to) => `<PackageReference Include="${name}" Version="${to}" />`,
    override: (name, _from, to) => `<PackageReference Include="${name}" Version="${to}" />`,
  },
};

/** Lock files that several tools write, so that it is not known which file is to be changed. */
export const withoutManifest: ReadonlySet<string> = new Set(['pylock.toml']);

/** Whether there is a rule for a lock file of this name. */
export function hasRule(lockfile: string): boolean {
  return Object.hasOwn(rules, lockfile.toLowerCase());
}

/** How the place comes to `to`. A source that is no lock file, as an SBOM, does not say which file is to be changed. */
export function wayTo({ source, name, version, direct, needed }: Place, to: string): Way {
  const { folder, file } = partsOf(source);
  const rule = hasRule(file) ? rules[file.toLowerCase()] : undefined;
  if (rule === undefined) return { how: direct === null ? 'unknown' : direct ? 'direct' : 'override', edits: [] };
  const own = { file: `${folder}${rule.manifest}`, change: rule.direct(name, to) };
  const change = rule.override(name, version, to);
  const override = change === null ? [] : [{ file: `${folder}${rule.overridesIn ?? rule.manifest}`, change }];
  if (direct === null) return { how: 'unknown', edits: [own] };
  if (direct) return { how: 'direct', edits: needed && rule.nests ? [own, ...override] : [own] };
  return override.length === 0 ? { how: 'parent' } : { how: 'override', edits: override };
}

/** A source is `repository:path`. */
function partsOf(source: string): { readonly folder: string; readonly file: string } {
  const end = Math.max(source.lastIndexOf('/'), source.lastIndexOf(':')) + 1;
  return { folder: source.slice(0, end), file: source.slice(end) };
}
