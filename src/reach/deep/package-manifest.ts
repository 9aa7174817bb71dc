import { entriesOf, field, textOf } from '../languages/javascript/json-values.js';
import { registryName } from '../languages/javascript/project/manifests.js';
import { jsonOrNull } from '../languages/manifest-text.js';
import type { PackageFolder } from './package-folder.js';

/** What of a package's package.json says which files and packages it loads. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly exports: unknown;
  readonly imports: unknown;
  /** The files that the package's name means, where `exports` does not say. */
  readonly mains: readonly string[];
  /** Replacements for browsers, by file or package. */
  readonly browser: readonly (readonly [string, string])[];
  readonly programs: readonly string[];
  /** Names as its code spells them, with the registry's: `"old": "npm:lodash@^3"` is lodash. Peers and optional ones included. */
  readonly dependencies: ReadonlyMap<string, string>;
}

const mainFields = ['main', 'module', 'jsnext:main', 'es2015', 'browser'];
const sections = ['dependencies', 'optionalDependencies', 'peerDependencies', 'peerDependenciesMeta'];

/** Reads the manifest of a folder; null where it has none that names a package and its version. */
export function readManifest(folder: PackageFolder): PackageManifest | null {
  const content = jsonOrNull(folder.read('package.json'));
  const name = textOf(field(content, 'name'));
  const version = textOf(field(content, 'version'));
  if (name === null || version === null) return null;
  const bin = field(content, 'bin');
  return {
    name,
    version,
    exports: field(content, 'exports'),
    imports: field(content, 'imports'),
    mains: mainsIn(content),
    browser: entriesOf(field(content, 'browser')).flatMap(([from, to]) => (typeof to === 'string' ? [[from, to]] : [])),
    programs: [bin, ...entriesOf(bin).map(([, path]) => path)].flatMap((path) => textOf(path) ?? []),
    dependencies: new Map(
      sections.flatMap((section) =>
        entriesOf(field(content, section)).map(([key, range]) => [key, registryName(key, textOf(range) ?? '')]),
      ),
    ),
  };
}

/** The files that the name of a package or of a folder in it means. */
export function mainsIn(content: unknown): readonly string[] {
  return mainFields.flatMap((name) => textOf(field(content, name)) ?? []);
}
