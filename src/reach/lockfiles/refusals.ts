import { basename } from 'node:path';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';

/** A lock file that is known and not read. */
export interface Refusal {
  /** The ecosystem whose packages stay unknown; null where none that is matched is concerned. */
  readonly ecosystem: Ecosystem | null;
  /** What it is, and what to do. It follows the file's path. */
  readonly why: string;
  /** The lock file beside it that its tool or the next one uses in its place. */
  readonly supersededBy?: string;
}

const notMatched = (packages: string): Refusal => ({
  ecosystem: null,
  why: `lists packages of ${packages}, which are not matched here`,
});

const notRead = (ecosystem: Ecosystem, what: string, supersededBy?: string): Refusal => ({
  ecosystem,
  why: `is ${what}, which is not read`,
  ...(supersededBy !== undefined && { supersededBy }),
});

const refusals: ReadonlyMap<string, Refusal> = new Map([
  [
    'bun.lockb',
    {
      ecosystem: 'npm',
      why: 'is Bun’s binary lock file, which is not read: run `bun install --save-text-lockfile`, then sync bun.lock',
      supersededBy: 'bun.lock',
    },
  ],
  [
    'deno.lock',
    { ecosystem: 'npm', why: 'is Deno’s lock file, which is not read: its npm packages are known by no other file' },
  ],
  ['bower.json', notRead('npm', 'Bower’s manifest')],
  ['shrinkwrap.yaml', notRead('npm', 'the lock file of pnpm before 3', 'pnpm-lock.yaml')],
  ['conda-lock.yml', notRead('PyPI', 'the lock file of conda-lock')],
  ['pixi.lock', notRead('PyPI', 'Pixi’s lock file')],
  ['Gopkg.lock', notRead('Go', 'the lock file of dep', 'go.mod')],
  ['glide.lock', notRead('Go', 'Glide’s lock file', 'go.mod')],
  ['maven_install.json', notRead('Maven', 'Bazel’s list of artifacts')],
  ['buildscript-gradle.lockfile', notRead('Maven', 'the lock file of Gradle’s build scripts')],
  ['packages.config', notRead('NuGet', 'NuGet’s list before package references')],
  ['paket.lock', notRead('NuGet', 'Paket’s lock file')],
  ['pubspec.lock', notMatched('Dart and Flutter (pub)')],
  ['mix.lock', notMatched('Elixir (Hex)')],
  ['rebar.lock', notMatched('Erlang (Hex)')],
  ['Podfile.lock', notMatched('CocoaPods')],
  ['Package.resolved', notMatched('Swift')],
  ['conan.lock', notMatched('Conan')],
  ['renv.lock', notMatched('R (CRAN)')],
  ['stack.yaml.lock', notMatched('Haskell (Hackage)')],
]);

/** Gradle before 7 had a file for each configuration. */
const oldGradle = notRead('Maven', 'a lock file of Gradle before 7', 'gradle.lockfile');

const constraints: Refusal = {
  ecosystem: null,
  why: 'limits versions, but does not list what is installed: the requirements file that names it with -c is read',
};

/** Why a known lock file is not read; null for any other file. */
export function refusalOf(path: string): Refusal | null {
  const name = basename(path);
  if (/(?:^|\/)dependency-locks\/[^/]+\.lockfile$/.test(path)) return oldGradle;
  return refusals.get(name) ?? (/(?:^|[-_.])constraints?(?:[-_.].*)?\.txt$/.test(name) ? constraints : null);
}
