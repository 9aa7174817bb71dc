import { setImmediate as nextMacrotask } from 'node:timers/promises';
import { groupBy } from '../../lockfiles/group-by.js';
import type { KnownPackage, LanguageFindings, LanguageReader, Role } from '../language-reader.js';
import { resemblanceFinder } from '../resembles.js';
import type { SourceTree } from '../source-tree.js';
import { folderOf } from '../tree-path.js';
import { filesLoaded } from './entries/files-loaded.js';
import { findEntries } from './entries/find-entries.js';
import { type FileLoad, findReachable } from './entries/reachable-files.js';
import { TreeFiles } from './entries/tree-files.js';
import { gapsIn } from './gaps/find-gaps.js';
import { findMentions } from './mentions/find-mentions.js';
import { type ResolvedReference, type ResolvedSource, usesIn } from './package-uses.js';
import { isSite, isSourceOrUnread, pageEntries, withPages } from './page-entries.js';
import { readInFull, readSources } from './parse/read-sources.js';
import { readCompilerOptions } from './project/compiler-options.js';
import { nearest, readManifests, workspacesOf } from './project/manifests.js';
import { readBundlerAliases } from './resolve/bundler-aliases.js';
import { FileLookup } from './resolve/file-lookup.js';
import { Resolver } from './resolve/resolver.js';
import { isVirtualModule } from './resolve/virtual-modules.js';
import { roleOf, rolesIn } from './roles.js';
import { importedByFile, searchSources, unreadFile } from './search-sources.js';
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
  const locked = groupBy(
    known.filter(({ ecosystem }) => ecosystem === 'npm'),
    ({ name }) => name,
  );
  const lockedNames = new Set(locked.keys());
  const declaredNames = new Set([...manifests.values()].flatMap((manifest) => [...manifest.declared.keys()]));
  const isPackage = (name: string) => lockedNames.has(name) || (declaredNames.has(name) && !workspaces.has(name));
  const lookup = new FileLookup(new Set(tree.files.map(({ path }) => path)), manifests);
  const files = new TreeFiles(tree.files.map(({ path }) => path));
  const resolver = new Resolver({
    lookup,
    manifests,
    workspaces,
    compilerOptions,
    aliases: readBundlerAliases(tree),
    isPackage,
  });

  const namesPackage = (specifier: string, path: string) => {
    if (specifier.startsWith('.')) return false;
    const name = resolver.resolve(specifier, path).package?.name;
    return name !== undefined && isPackage(name);
  };
  const runsMarkdown = (folder: string) => isSite(manifests, folder);
  const readingContext = { compilerOptions, namesPackage, runsMarkdown };
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

  const byName = new Map<string, readonly FileLoad[]>();
  const loadsByName = ({ loads, path }: ResolvedSource): readonly FileLoad[] => {
    const known = byName.get(path);
    if (known !== undefined || loads.length === 0) return known ?? [];
    const home = nearest(manifests, folderOf(path))?.folder ?? '';
    const found = loads.map((load) => ({
      files: filesLoaded([load], { from: path, packageFolder: home, files }),
      line: load.line,
      isCertain: true,
    }));
    byName.set(path, found);
    return found;
  };
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const named = findEntries(tree, manifests, files, options.entries, (name) =>
    (locked.get(name) ?? []).map(({ version }) => version),
  );
  const pages = options.entries.length > 0 ? [] : pageEntries(sources, runsMarkdown);
  const entries = withPages(
    named.filter(({ file }) => isSourceOrUnread(file, byPath)),
    pages,
  );
  const reached = await findReachable(
    entries.map(({ file }) => file),
    (file) => {
      const source = byPath.get(file);
      return source === undefined ? [] : [...loadsOf(source.references), ...loadsByName(source)];
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
    projectImports: projectImportsIn(sources),
    roleIn,
    roleOfUse: roles.using,
    reached,
    unparsed,
  });
  const isProduction = (path: string) => roleIn(path) === 'prod';
  const resembling = resemblanceFinder([...lockedNames]);
  const gaps = sources.flatMap((source) =>
    isProduction(source.path) ? gapsIn(source, { isPackage, lockedNames, resembling }) : [],
  );
  const search = await searchSources(tree, read.unparsed, {
    lockedNames,
    manifests,
    imported: importedByFile(unparsed, uses),
    roleIn,
    reached,
  });
  for (const path of search.failed) {
    if (isProduction(path)) gaps.push(unreadFile(path));
  }
  const unresolved = sources.flatMap((source) => source.references.filter((one) => isUnresolved(one, isPackage)));
  return {
    uses: [...uses, ...mentions, ...search.uses],
    entries: entries.toSorted((a, b) => (a.file < b.file ? -1 : 1)),
    files: sources.length,
    bytes: read.bytes,
    parseErrors: read.parseErrors,
    searched: read.unparsed.length - search.failed.length,
    skipped: search.failed.length,
    unresolved: unresolved.filter((one) => !isComputed(one)).length,
    unknownDynamic: unresolved.filter(isComputed).length,
    gaps,
    reachedFiles: reached,
  };
}

/** The places whose specifier could be taken for an asset of a package, but is a file of the project. */
function projectImportsIn(sources: readonly ResolvedSource[]): string[] {
  return sources.flatMap(({ path, references }) =>
    references.flatMap(({ reference: { specifier }, resolution, line, column }) =>
      resolution.files.length > 0 && typeof specifier === 'string' && /\/.*\.\w+$/.test(specifier)
        ? `${path}:${line}:${column}`
        : [],
    ),
  );
}

function loadsOf(references: readonly ResolvedReference[]): readonly FileLoad[] {
  return references.flatMap(({ reference, resolution, line }) =>
    reference.typeOnly || reference.mock || resolution.files.length === 0
      ? []
      : { files: resolution.files, line, isCertain: !reference.erasureUnknown },
  );
}

function isUnresolved({ reference, resolution }: ResolvedReference, isPackage: (name: string) => boolean): boolean {
  if (resolution.builtin || resolution.files.length > 0 || reference.kind === 'resolve') return false;
  if (typeof reference.specifier === 'string' && isVirtualModule(reference.specifier)) return false;
  return resolution.package === null || !isPackage(resolution.package.name);
}

function isComputed({ reference }: ResolvedReference): boolean {
  return typeof reference.specifier !== 'string';
}
