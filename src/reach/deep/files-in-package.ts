import { targetsOf } from '../languages/javascript/resolve/exports-field.js';
import { withoutLoaders } from '../languages/javascript/resolve/specifier.js';
import { jsonOrNull } from '../languages/manifest-text.js';
import { folderOf, inFolder, joinPath } from '../languages/tree-path.js';
import type { PackageFolder } from './package-folder.js';
import { mainsIn, type PackageManifest } from './package-manifest.js';

/** A package whose files can be read. */
export interface OpenPackage {
  readonly folder: PackageFolder;
  readonly manifest: PackageManifest;
}

/** What a specifier means: files of the package, and specifiers of other packages that it stands for. */
export interface Targets {
  readonly files: readonly string[];
  readonly specifiers: readonly string[];
}

/** Extensions that Node tries, then those that bundlers try (https://nodejs.org/api/modules.html#all-together). */
const extensions = ['', '.js', '.json', '.node', '.mjs', '.cjs', '.jsx', '.ts', '.tsx', '.mts', '.cts', '.wasm'];

const declaration = /\.d\.[mc]?ts$/;

/**
 * The files that a package's name, with or without a path behind it, means. Conditions of `exports` are not decided: the
 * files of all of them count, for Node, for bundlers and for browsers.
 *
 * @param subpath what follows the name; null for the name alone
 */
export function filesOf(target: OpenPackage, subpath: string | null): Targets {
  const { manifest } = target;
  const exported = targetsOf(manifest.exports, subpath === null ? '.' : `./${subpath}`);
  const fromExports = exported.flatMap((path) => fileAt(target, joinPath('', path)));
  if (fromExports.length > 0) return withBrowser(target, fromExports);
  if (subpath !== null) return withBrowser(target, fileAt(target, joinPath('', withoutLoaders(subpath))));
  return withBrowser(target, mainFiles(target, '', manifest.mains));
}

/** The files that a relative path in a file of a package means. */
export function filesNear(target: OpenPackage, from: string, specifier: string): Targets {
  return withBrowser(target, fileAt(target, joinPath(folderOf(from), withoutLoaders(specifier))));
}

/** What `#name` means in a package (https://nodejs.org/api/packages.html#subpath-imports). */
export function importsOf(target: OpenPackage, specifier: string): Targets {
  const targets = targetsOf(target.manifest.imports, specifier);
  const inner = targets.filter((path) => path.startsWith('.'));
  const files = inner.flatMap((path) => fileAt(target, joinPath('', path)));
  return { files, specifiers: targets.filter((path) => !path.startsWith('.')) };
}

/** What the `browser` field puts in the place of a package. */
export function browserSpecifiers({ manifest }: OpenPackage, specifier: string): readonly string[] {
  return manifest.browser.filter(([from]) => from === specifier).map(([, to]) => to);
}

function fileAt(target: OpenPackage, path: string | null): readonly string[] {
  if (path === null) return [];
  const file = exactFile(target, path);
  if (file !== null) return [file];
  if (target.folder.kindOf(path) !== 'folder') return [];
  const mains = path === '' ? [] : mainsIn(jsonOrNull(target.folder.read(`${path}/package.json`)));
  return mainFiles(target, path, mains);
}

function exactFile({ folder }: OpenPackage, path: string): string | null {
  // TypeScript's sources name the files that they are compiled to.
  const source = path.replace(/\.([mc]?)js(x?)$/, '.$1ts$2');
  const candidates = path === '' ? [] : [...extensions.map((extension) => path + extension), source];
  const found = candidates.find((candidate) => folder.kindOf(candidate) === 'file');
  return found === undefined || declaration.test(found) ? null : found;
}

function indexOf(target: OpenPackage, path: string): string | null {
  return exactFile(target, inFolder(path, 'index'));
}

function mainFiles(target: OpenPackage, folder: string, mains: readonly string[]): readonly string[] {
  const found = mains.flatMap((main) => {
    const path = joinPath(folder, main);
    return path === null || path === folder ? [] : (exactFile(target, path) ?? indexOf(target, path) ?? []);
  });
  return found.length > 0 ? [...new Set(found)] : [indexOf(target, folder) ?? []].flat();
}

/** Adds what browsers load in the place of the files. */
function withBrowser(target: OpenPackage, files: readonly string[]): Targets {
  const { browser } = target.manifest;
  if (browser.length === 0) return { files, specifiers: [] };
  const replaced = browser.filter(([from]) => {
    const path = from.startsWith('.') ? joinPath('', from) : null;
    return path !== null && files.some((file) => file === path || file === `${path}.js`);
  });
  const inner = replaced.filter(([, to]) => to.startsWith('.'));
  const others = replaced.filter(([, to]) => !to.startsWith('.')).map(([, to]) => to);
  return { files: [...files, ...inner.flatMap(([, to]) => fileAt(target, joinPath('', to)))], specifiers: others };
}
