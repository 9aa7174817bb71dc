import { setImmediate as nextMacrotask } from 'node:timers/promises';
import type { KnownPackage, LanguageFindings, LanguageReader, PackageUse, Role } from '../language-reader.js';
import { searchUnparsed } from '../search-unparsed.js';
import type { SourceTree } from '../source-tree.js';
import { folderOf } from '../tree-path.js';
import { findEntries } from './entries/find-entries.js';
import { filesLoaded } from './entries/loaded-by-name.js';
import { findReachable, type LoadedFiles } from './entries/reachable-files.js';
import { TreeFiles } from './entries/tree-files.js';
import { quoted } from './mentions/file-strings.js';
import { findMentions } from './mentions/find-mentions.js';
import { packageNamed } from './mentions/package-names.js';
import { type ResolvedReference, type ResolvedSource, usesIn } from './package-uses.js';
import { readInFull, readSources } from './parse/read-sources.js';
import { readCompilerOptions } from './project/compiler-options.js';
import { type Manifest, nearest, readManifests, registryName, workspacesOf } from './project/manifests.js';
import { FileLookup } from './resolve/file-lookup.js';
import { Resolver } from './resolve/resolver.js';
import { roleOf, rolesIn } from './roles.js';
import { sourceKindOf } from './source-kinds.js';

/** Reads JavaScript and TypeScript, and the scripts of Vue, Svelte and Astro components. */
export const javascriptReader: LanguageReader = {
  name: 'javascript',
  ecosystem: 'npm',
  reads: (path) => sourceKindOf(path) !== null,
  roleOf,
  analyze: analyzeTree,
};

async function analyzeTree(
  tree: SourceTree,
  known: readonly KnownPackage[],
  options: { readonly entries: readonly string[] },
): Promise<LanguageFindings> {
  const manifests = readManifests(tree);
  const workspaces = workspacesOf(tree, manifests);
  const compilerOptions = readCompilerOptions(tree);
  const lockedNames = new Set(known.filter(({ ecosystem }) => ecosystem === 'npm').map(({ name }) => name));
  const declaredNames = new Set([...manifests.values()].flatMap((manifest) => [...manifest.declared.keys()]));
  const isPackage = (name: string) => lockedNames.has(name) || (declaredNames.has(name) && !workspaces.has(name));
  const lookup = new FileLookup(new Set(tree.files.map(({ path }) => path)), manifests);
  const files = new TreeFiles(tree.files.map(({ path }) => path));
  const resolver = new Resolver({ lookup, manifests, workspaces, compilerOptions, isPackage });

  const namesPackage = (specifier: string, path: string) => {
    if (specifier.startsWith('.')) return false;
    const name = resolver.resolve(specifier, path).package?.name;
    return name !== undefined && isPackage(name);
  };
  const readingContext = { compilerOptions, namesPackage };
  const read = await readSources(tree, readingContext);
  const sources = read.sources.map(({ path, kind, references, loads }) => ({
    path,
    kind,
    loads,
    references: references.map((placed) => ({
      ...placed,
      resolution: resolver.resolve(placed.reference.specifier, path),
    })),
  }));

  const entries = findEntries(tree, manifests, files, options.entries);
  const byName = new Map<string, readonly string[]>();
  const filesByName = ({ loads, path }: ResolvedSource): readonly string[] => {
    const known = byName.get(path);
    if (known !== undefined || loads.length === 0) return known ?? [];
    const loaded = filesLoaded(loads, path, nearest(manifests, folderOf(path))?.folder ?? '', files);
    byName.set(path, loaded);
    return loaded;
  };
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const reached = await findReachable(
    entries.map(({ file }) => file),
    (file) => {
      const source = byPath.get(file);
      return source === undefined ? nothing : loadedFiles(source.references, filesByName(source));
    },
    async (file) => {
      const source = byPath.get(file);
      if (source !== undefined) readInFull(tree, source, readingContext);
      // The parser frees its memory when the event loop runs.
      await nextMacrotask();
    },
  );
  const roles = rolesIn(manifests);
  const roleIn = (path: string): Role => (reached.has(path) ? 'prod' : roles.of(path));

  const uses = sources.flatMap((source) =>
    usesIn(source, {
      isPackage,
      lockedNames,
      roleOf: (packageName) => (reached.has(source.path) ? 'prod' : roles.using(source.path, packageName)),
      reached: reached.has(source.path),
      readInFull: () => readInFull(tree, source, readingContext),
    }),
  );
  const unparsed = new Set(read.unparsed);
  const mentions = await findMentions(tree, {
    manifests,
    lockedNames,
    uses,
    roleIn,
    roleOfUse: roles.using,
    reached,
    unparsed,
  });
  const search = await searchUnparsed(tree, read.unparsed, {
    ecosystem: 'npm',
    words: quoted,
    meaning: quotedPackages(lockedNames, manifests, importedByFile(unparsed, uses)),
    roleIn,
    reached,
  });
  const unresolved = sources.flatMap((source) => source.references.filter((one) => isUnresolved(one, isPackage)));
  return {
    uses: [...uses, ...mentions, ...search.uses],
    entries: entries.toSorted((a, b) => (a.file < b.file ? -1 : 1)),
    files: sources.length,
    bytes: read.bytes,
    parseErrors: read.parseErrors,
    searched: search.searched,
    skipped: search.failed,
    unresolved: unresolved.filter((one) => !isComputed(one)).length,
    unknownDynamic: read.unknownDynamic + unresolved.filter(isComputed).length,
    gaps: search.gaps,
    reachedFiles: new Map([...reached].map((path) => [path, null])),
  };
}

/** The packages whose values each of the files imports. */
function importedByFile(
  files: ReadonlySet<string>,
  uses: readonly PackageUse[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const imported = new Map([...files].map((path) => [path, new Set<string>()]));
  for (const { packageName, site } of uses) if (!site.typeOnly) imported.get(site.file)?.add(packageName);
  return imported;
}

const nothing: LoadedFiles = { certain: [], possible: [] };

function loadedFiles(references: readonly ResolvedReference[], byName: readonly string[]): LoadedFiles {
  const loads = references.filter(({ reference }) => !reference.typeOnly && !reference.mock);
  const targetsOf = (some: readonly ResolvedReference[]) => some.flatMap(({ resolution }) => resolution.files);
  return {
    certain: [...targetsOf(loads.filter(({ reference }) => !reference.erasureUnknown)), ...byName],
    possible: targetsOf(loads.filter(({ reference }) => reference.erasureUnknown)),
  };
}

function isUnresolved({ reference, resolution }: ResolvedReference, isPackage: (name: string) => boolean): boolean {
  if (resolution.builtin || resolution.files.length > 0 || reference.kind === 'resolve') return false;
  return resolution.package === null || !isPackage(resolution.package.name);
}

function isComputed({ reference }: ResolvedReference): boolean {
  return typeof reference.specifier !== 'string';
}

/**
 * Finds the locked packages that a quoted word of an unparsed file may name: `a`, `a/sub`, `../node_modules/a/x`, an alias
 * of a manifest, or the loaders of `style-loader!css-loader!./x`.
 *
 * @param imported by file, the packages that its imports name; a mention adds nothing to these
 */
function quotedPackages(
  lockedNames: ReadonlySet<string>,
  manifests: ReadonlyMap<string, Manifest>,
  imported: ReadonlyMap<string, ReadonlySet<string>>,
): (word: string, path: string) => readonly string[] {
  const names = new Map<string, string>();
  for (const name of lockedNames) names.set(name, name);
  for (const { declared } of manifests.values()) {
    for (const [name, range] of declared) {
      const packageName = registryName(name, range);
      if (packageName !== name && lockedNames.has(packageName)) names.set(name, packageName);
    }
  }
  return (word, path) => {
    const found = word.split('!').flatMap((part) => packageNamed(part, names)?.packageName ?? []);
    return found.filter((packageName) => imported.get(path)?.has(packageName) !== true);
  };
}
