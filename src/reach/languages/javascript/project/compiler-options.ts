import { parseJsonc } from '../../../../shared/json/jsonc.js';
import type { SourceTree } from '../../source-tree.js';
import { fileNameOf, folderOf, joinPath } from '../../tree-path.js';
import { entriesOf, field, stringsIn, textOf } from '../json-values.js';
import { nearest } from './manifests.js';

/** The options that tsconfig.json or jsconfig.json sets for the files under its folder. */
export interface CompilerOptions {
  /** The folder of the tree in which bare specifiers are looked up. */
  readonly baseUrl: string | null;
  /** Patterns of specifiers, with the paths that they map to, from the root of the tree. */
  readonly paths: readonly { readonly pattern: string; readonly targets: readonly string[] }[];
  /** Whether the output keeps imports that are used as types only. */
  readonly keepsTypeImports: boolean;
}

/** Limit of configurations in a chain of `extends` and `references`. */
const maxDepth = 10;

const projectFile = /^(?:tsconfig(?:\.(?:app|base|lib|build|main|node|web|server|client))?|jsconfig)\.json$/;

/**
 * Reads the compiler options of a tree, with `extends` inside the tree, and with `references` of a configuration that has
 * no files itself. Configurations of tests are left out, because their `paths` replace packages by fakes.
 *
 * @returns the options of the nearest configuration upwards from a folder
 */
export function readCompilerOptions(tree: SourceTree): (folder: string) => CompilerOptions | null {
  const contents = new Map<string, unknown>();
  for (const { path } of tree.files) {
    if (!path.endsWith('.json') || !/config|tsconfig/.test(fileNameOf(path))) continue;
    const text = tree.read(path);
    const content = text === null || !text.includes('{') ? undefined : parseJsonc(text);
    if (content !== undefined) contents.set(path, content);
  }
  const byFolder = new Map<string, CompilerOptions>();
  for (const name of ['jsconfig.json', 'tsconfig.base.json', 'tsconfig.json']) {
    for (const path of contents.keys()) {
      if (fileNameOf(path) === name) byFolder.set(folderOf(path), resolveOptions(path, contents, 0));
    }
  }
  return (folder) => nearest(byFolder, folder);
}

function resolveOptions(path: string, contents: ReadonlyMap<string, unknown>, depth: number): CompilerOptions {
  const content = contents.get(path);
  const folder = folderOf(path);
  const options = field(content, 'compilerOptions');
  const load = (target: string): CompilerOptions | null => {
    if (depth >= maxDepth || !target.startsWith('.')) return null;
    const place = joinPath(folder, target);
    const file = [place, `${place}.json`, `${place}/tsconfig.json`].find((one) => one !== null && contents.has(one));
    return file === undefined || file === null ? null : resolveOptions(file, contents, depth + 1);
  };
  const inherited = stringsIn(field(content, 'extends'))
    .map(load)
    .filter((one) => one !== null);
  const referenced =
    Array.isArray(field(content, 'files')) || field(content, 'include') === undefined
      ? referencesOf(content, folder)
      : [];
  const from = [...inherited, ...referenced.map(load).filter((one) => one !== null)];
  const declaredBase = textOf(field(options, 'baseUrl'));
  const inheritedBase = from.findLast((one) => one.baseUrl !== null)?.baseUrl ?? null;
  const baseUrl = declaredBase === null ? inheritedBase : joinPath(folder, declaredBase);
  const declaredPaths = entriesOf(field(options, 'paths'));
  const paths = declaredPaths.map(([pattern, targets]) => ({
    pattern,
    targets: stringsIn(targets)
      .map((target) => joinPath(baseUrl ?? folder, target))
      .filter((target) => target !== null),
  }));
  const keeps = ['verbatimModuleSyntax', 'preserveValueImports'].some((name) => field(options, name) === true);
  return {
    baseUrl,
    paths: declaredPaths.length > 0 ? paths : from.flatMap((one) => one.paths),
    keepsTypeImports: keeps || inherited.some((one) => one.keepsTypeImports),
  };
}

function referencesOf(content: unknown, folder: string): string[] {
  const references = field(content, 'references');
  if (!Array.isArray(references)) return [];
  return references.flatMap((reference) => {
    const path = textOf(field(reference, 'path'));
    const name = path === null ? '' : fileNameOf(joinPath(folder, path) ?? '');
    return path !== null && (projectFile.test(name) || !name.endsWith('.json')) ? [path] : [];
  });
}

/** The paths that `paths` maps a specifier to, by the pattern with the longest prefix. */
export function mappedPaths({ paths }: CompilerOptions, specifier: string): readonly string[] {
  let best: { readonly length: number; readonly targets: readonly string[] } | null = null;
  for (const { pattern, targets } of paths) {
    const star = pattern.indexOf('*');
    if (star === -1) {
      if (pattern === specifier) return targets;
      continue;
    }
    const prefix = pattern.slice(0, star);
    const suffix = pattern.slice(star + 1);
    const matches =
      specifier.startsWith(prefix) && specifier.endsWith(suffix) && specifier.length >= prefix.length + suffix.length;
    if (!matches || (best !== null && best.length >= prefix.length)) continue;
    const middle = specifier.slice(prefix.length, specifier.length - suffix.length);
    best = { length: prefix.length, targets: targets.map((target) => target.replace('*', () => middle)) };
  }
  return best?.targets ?? [];
}
