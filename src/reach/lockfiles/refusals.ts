import { basename } from 'node:path';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';

/** A lock file that is known and not read. */
export interface Refusal {
  /** The ecosystem whose packages stay unknown; null where none that is matched is concerned. */
  readonly ecosystem: Ecosystem | null;
  /** What it is, and what to do. It follows the file's path. */
  readonly why: string;
}

const notMatched = (packages: string): Refusal => ({
  ecosystem: null,
  why: `lists packages of ${packages}, which are not matched here`,
});

const refusals: ReadonlyMap<string, Refusal> = new Map([
  [
    'bun.lockb',
    {
      ecosystem: 'npm',
      why: 'is Bun’s binary lock file, which is not read: run `bun install --save-text-lockfile`, then sync bun.lock',
    },
  ],
  [
    'deno.lock',
    { ecosystem: 'npm', why: 'is Deno’s lock file, which is not read: its npm packages are known by no other file' },
  ],
  ['pubspec.lock', notMatched('Dart and Flutter (pub)')],
  ['mix.lock', notMatched('Elixir (Hex)')],
  ['rebar.lock', notMatched('Erlang (Hex)')],
  ['Podfile.lock', notMatched('CocoaPods')],
  ['Package.resolved', notMatched('Swift')],
  ['conan.lock', notMatched('Conan')],
  ['renv.lock', notMatched('R (CRAN)')],
  ['stack.yaml.lock', notMatched('Haskell (Hackage)')],
]);

const constraints: Refusal = {
  ecosystem: null,
  why: 'limits versions, but does not list what is installed: the requirements file that names it with -c is read',
};

/** Why a known lock file is not read; null for any other file. */
export function refusalOf(path: string): Refusal | null {
  const name = basename(path);
  return refusals.get(name) ?? (/(?:^|[-_.])constraints?(?:[-_.].*)?\.txt$/.test(name) ? constraints : null);
}
