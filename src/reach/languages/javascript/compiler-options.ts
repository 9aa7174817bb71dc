import { parseJsonc } from '../../../shared/json/jsonc.js';
import type { SourceTree } from '../../analysis/language.js';
import { entriesOf, field, stringsIn, textOf } from './loose.js';
import { nearest } from './manifests.js';
import { folderOf, joined, nameIn } from './tree-paths.js';

/** What tsconfig.json or jsconfig.json says of the files under its folder. */
export interface CompilerOptions {
  /** Where bare specifiers may be looked up, a folder of the tree. */
  readonly baseUrl: string | null;
  /** Patterns of specifiers with the paths that they mean, from the root of the tree. */
  readonly paths: readonly { readonly pattern: string; readonly targets: readonly string[] }[];
  /** Imports that are used as types alone are kept. */
  readonly keepsTypeImports: boolean;
}

/** Chains of `extends` and `references` that are followed. */
const maxDepth = 10;

const ofProject = /^(?:tsconfig(?:\.(?:app|base|lib|build|main|node|web|server|client))?|jsconfig)\.json$/;

/**
 * Reads the compiler options of a tree. Configurations of tests are not read: their paths put fakes in the place of
 * packages. `extends` is followed within the tree, and so are `references` of a configuration that has no files itself.
 */
export function readCompilerOptions(tree: SourceTree): (folder: string) => CompilerOptions | null {
  const contents = new Map<string, unknown>();
  for (const { path } of tree.files) {
    if (!path.endsWith('.json') || !/config|tsconfig/.test(nameIn(path))) continue;
    const text = tree.read(path);
    const content = text === null || !text.includes('{') ? undefined : parseJsonc(text);
    if (content !== undefined) contents.set(path, content);
  }
  const byFolder = new Map<string, CompilerOptions>();
  for (const name of ['jsconfig.json', 'tsconfig.base.json', 'tsconfig.json']) {
    for (const path of contents.keys()) {
      if (nameIn(path) === name) byFolder.set(folderOf(path), resolveOptions(path, contents, 0));
    }
  }
  return (folder) => nearest(byFolder, folder);
}

function resolveOptions(path: string, contents: ReadonlyMap<string, unknown>, depth: number): CompilerOptions {
  const content = contents.get(path);
  const folder = folderOf(path);
  const options = field(content, 'compilerOptions');
  const follow = (target: string): CompilerOptions | null => {
    if (depth >= maxDepth || !target.startsWith('.')) return null;
    const place = joined(folder, target);
    const file = [place, `${place}.json`, `${place}/tsconfig.json`].find((one) => one !== null && contents.has(one));
    return file === undefined || file === null ? null : resolveOptions(file, contents, depth + 1);
  };
  const inherited = stringsIn(field(content, 'extends'))
    .map(follow)
    .filter((one) => one !== null);
  const referenced =
    Array.isArray(field(content, 'files')) || field(content, 'include') === undefined
      ? referencesOf(content, folder)
      : [];
  const from = [...inherited, ...referenced.map(follow).filter((one) => one !== null)];
  const ownBase = textOf(field(options, 'baseUrl'));
  const baseUrl =
    ownBase === null ? (from.findLast((one) => one.baseUrl !== null)?.baseUrl ?? null) : joined(folder, ownBase);
  const own = entriesOf(field(options, 'paths'));
  const start = ownBase === null ? (baseUrl ?? folder) : (baseUrl ?? folder);
  const paths = own.map(([pattern, targets]) => ({
    pattern,
    targets: stringsIn(targets)
      .map((target) => joined(start, target))
      .filter((target) => target !== null),
  }));
  const keeps = ['verbatimModuleSyntax', 'preserveValueImports'].some((name) => field(options, name) === true);
  return {
    baseUrl,
    paths: own.length > 0 ? paths : from.flatMap((one) => one.paths),
    keepsTypeImports: keeps || inherited.some((one) => one.keepsTypeImports),
  };
}

function referencesOf(content: unknown, folder: string): string[] {
  const references = field(content, 'references');
  if (!Array.isArray(references)) return [];
  return references.flatMap((reference) => {
    const path = textOf(field(reference, 'path'));
    const name = path === null ? '' : nameIn(joined(folder, path) ?? '');
    return path !== null && (ofProject.test(name) || !name.endsWith('.json')) ? [path] : [];
  });
}

/** The paths of the tree that a specifier means by `paths`, the most specific pattern first. */
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
    const fits =
      specifier.startsWith(prefix) && specifier.endsWith(suffix) && specifier.length >= prefix.length + suffix.length;
    if (!fits || (best !== null && best.length >= prefix.length)) continue;
    const middle = specifier.slice(prefix.length, specifier.length - suffix.length);
    best = { length: prefix.length, targets: targets.map((target) => target.replace('*', () => middle)) };
  }
  return best?.targets ?? [];
}
