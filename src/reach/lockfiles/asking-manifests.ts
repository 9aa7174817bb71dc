import * as z from 'zod';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { cratesOf, readCargoToml } from './cargo/cargo-toml.js';
import { gemsIn } from './gemfile.js';
import { packageJson } from './manifest.js';
import { normalisePython } from './names.js';
import { readPyproject } from './pyproject.js';
import { splitReference } from './reference.js';
import { parseJson, parseShape, type Source, unlessInvalid } from './source.js';

/** A manifest that asks for packages by ranges. Without a lock file nobody knows what is installed. */
interface AskingManifest {
  readonly ecosystem: Ecosystem;
  /** Matches the file's name. */
  readonly name: RegExp;
  /** Where its lock file is: beside it, or in any folder above, as for members of a workspace. */
  readonly lockedBy: 'beside' | 'above';
  /** The packages that it asks for, as `isSameName` compares; null where it asks for some that its text does not tell. */
  readonly asks: (source: Source) => Promise<readonly string[] | null> | readonly string[] | null;
}

const askingManifests: readonly AskingManifest[] = [
  { ecosystem: 'npm', name: /^package\.json$/, lockedBy: 'above', asks: npmNames },
  { ecosystem: 'npm', name: /^deno\.jsonc?$/, lockedBy: 'above', asks: named(/["']npm:\/?(@?[^@"']+)/g) },
  { ecosystem: 'PyPI', name: /^pyproject\.toml$/, lockedBy: 'above', asks: pyprojectNames },
  {
    ecosystem: 'PyPI',
    name: /^setup\.(?:py|cfg)$/,
    lockedBy: 'beside',
    asks: untold(/\b(?:install|extras|tests)_require/),
  },
  {
    ecosystem: 'PyPI',
    name: /^Pipfile$/,
    lockedBy: 'beside',
    asks: untold(/^\[(?:dev-)?packages\]\s+(?:#.*\s+)*[\w."-]+\s*=/m),
  },
  {
    ecosystem: 'PyPI',
    name: /^(?:[\w.-]*environment[\w.-]*|conda)\.ya?ml$/,
    lockedBy: 'beside',
    asks: untold(/^dependencies\s*:/m),
  },
  { ecosystem: 'PyPI', name: /requirements[^/]*\.in$/, lockedBy: 'beside', asks: untold(/^\s*[A-Za-z0-9]/m) },
  { ecosystem: 'crates.io', name: /^Cargo\.toml$/, lockedBy: 'above', asks: crateNames },
  {
    ecosystem: 'RubyGems',
    name: /^(?:Gemfile|gems\.rb)$/,
    lockedBy: 'beside',
    asks: ({ text }) => gemsIn(text).map(({ name }) => name),
  },
  {
    ecosystem: 'RubyGems',
    name: /\.gemspec$/,
    lockedBy: 'beside',
    asks: named(/\.add_(?:\w+_)?dependency[\s(]+["']([\w.-]+)/g),
  },
  { ecosystem: 'Packagist', name: /^composer\.json$/, lockedBy: 'beside', asks: composerNames },
  {
    ecosystem: 'NuGet',
    name: /\.(?:cs|fs|vb)proj$|^Directory\.Build\.(?:props|targets)$/,
    lockedBy: 'beside',
    asks: named(/<(?:Global)?PackageReference\s[^>]*\bInclude\s*=\s*["']([^"']+)/g),
  },
  {
    ecosystem: 'Maven',
    name: /\.gradle(?:\.kts)?$/,
    lockedBy: 'beside',
    asks: untold(/["'][\w.-]+:[\w.-]+(?::[^"'/]*)?["']|[\s(]libs\.\w/),
  },
  {
    ecosystem: 'Maven',
    name: /^(?:build\.sbt|ivy\.xml|project\.clj|deps\.edn)$/,
    lockedBy: 'beside',
    asks: () => null,
  },
];

/** The kind of manifest that a path names; null for any other file. */
export function askingManifest(fileName: string): AskingManifest | null {
  return askingManifests.find(({ name }) => name.test(fileName)) ?? null;
}

/** What a manifest asks for; null where its text does not tell. */
export async function asksOf({ asks }: AskingManifest, source: Source): Promise<readonly string[] | null> {
  // A broken manifest may ask for anything.
  return unlessInvalid(() => asks(source), null);
}

/** One spelling of a name, for comparing what is asked with what is locked. */
export function comparable(ecosystem: Ecosystem, name: string): string {
  return ecosystem === 'PyPI' ? normalisePython(name) : name;
}

/** Addresses of folders of the project. */
const ofProject = /^(?:workspace|link|portal|file):/;

function npmNames(source: Source): string[] {
  const { dependencies, devDependencies, optionalDependencies } = parseShape(source, packageJson, parseJson(source));
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).flatMap(([name, range]) => {
    if (ofProject.test(range)) return [];
    return range.startsWith('npm:') ? splitReference(range.slice('npm:'.length)).name : name;
  });
}

const composerRanges = z.record(z.string(), z.unknown()).catch({});
const composerJson = z.object({ require: composerRanges, 'require-dev': composerRanges });

/** Platform packages, such as `php` and `ext-json`, have no vendor. */
function composerNames(source: Source): string[] {
  const asked = parseShape(source, composerJson, parseJson(source));
  return Object.keys({ ...asked.require, ...asked['require-dev'] }).filter((name) => name.includes('/'));
}

async function pyprojectNames(source: Source): Promise<readonly string[]> {
  return Object.values((await readPyproject(source))?.requirements ?? {}).flat();
}

async function crateNames(source: Source): Promise<string[]> {
  const manifest = await readCargoToml(source);
  return manifest === null ? [] : cratesOf(manifest, manifest).map(({ name }) => name);
}

function named(pattern: RegExp): AskingManifest['asks'] {
  return ({ text }) => [...text.matchAll(pattern)].map(([, name = '']) => name);
}

function untold(pattern: RegExp): AskingManifest['asks'] {
  return ({ text }) => (pattern.test(text) ? null : []);
}
