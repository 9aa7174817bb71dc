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

/** Limit of configurations in a chain of `extends`, and of those that `references` of one lead to. */
const maxChain = 50;
const maxReferenced = 500;

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
  const configurations = new Configurations(contents);
  const byFolder = new Map<string, CompilerOptions>();
  for (const name of ['jsconfig.json', 'tsconfig.base.json', 'tsconfig.json']) {
    for (const path of contents.keys()) {
      if (fileNameOf(path) === name) byFolder.set(folderOf(path), configurations.optionsOf(path));
    }
  }
  return (folder) => nearest(byFolder, folder);
}

/** The configurations of a tree. Each is read once for all that extend it: they may extend and reference each other. */
class Configurations {
  readonly #contents: ReadonlyMap<string, unknown>;
  /** By path, without references. Null while a configuration is read: it extends itself. */
  readonly #extended = new Map<string, CompilerOptions | null>();

  constructor(contents: ReadonlyMap<string, unknown>) {
    this.#contents = contents;
  }

  optionsOf(path: string): CompilerOptions {
    return this.#withReferences(path, new Set([path]));
  }

  /** `references` are not inherited: https://www.typescriptlang.org/tsconfig/#extends. */
  #withReferences(path: string, seen: Set<string>): CompilerOptions {
    const content = this.#contents.get(path);
    const referenced: CompilerOptions[] = [];
    for (const target of hasNoFiles(content) ? referencesOf(content, folderOf(path)) : []) {
      const file = this.#find(target, path);
      if (file === null || seen.has(file) || seen.size >= maxReferenced) continue;
      seen.add(file);
      referenced.push(this.#withReferences(file, seen));
    }
    return optionsIn(content, folderOf(path), this.#inherited(path, 0), referenced);
  }

  #inherited(path: string, length: number): readonly CompilerOptions[] {
    const targets = stringsIn(field(this.#contents.get(path), 'extends'));
    return [...new Set(targets.map((target) => this.#find(target, path)))].flatMap((file) => {
      return file === null || length >= maxChain ? [] : (this.#withoutReferences(file, length + 1) ?? []);
    });
  }

  #withoutReferences(path: string, length: number): CompilerOptions | null {
    const known = this.#extended.get(path);
    if (known !== undefined) return known;
    this.#extended.set(path, null);
    const options = optionsIn(this.#contents.get(path), folderOf(path), this.#inherited(path, length), []);
    this.#extended.set(path, options);
    return options;
  }

  #find(target: string, from: string): string | null {
    if (!target.startsWith('.')) return null;
    const place = joinPath(folderOf(from), target);
    return place === null
      ? null
      : ([place, `${place}.json`, `${place}/tsconfig.json`].find((one) => this.#contents.has(one)) ?? null);
  }
}

function optionsIn(
  content: unknown,
  folder: string,
  inherited: readonly CompilerOptions[],
  referenced: readonly CompilerOptions[],
): CompilerOptions {
  const options = field(content, 'compilerOptions');
  const from = [...inherited, ...referenced];
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
    paths: declaredPaths.length > 0 ? paths : [...new Set(from.flatMap((one) => one.paths))],
    keepsTypeImports: keeps || inherited.some((one) => one.keepsTypeImports),
  };
}

function hasNoFiles(content: unknown): boolean {
  return Array.isArray(field(content, 'files')) || field(content, 'include') === undefined;
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
