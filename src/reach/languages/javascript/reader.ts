import { setImmediate as nextMacrotask } from 'node:timers/promises';
import type {
  Entry,
  KnownPackage,
  LanguageFindings,
  LanguageReader,
  PackageUse,
  Role,
  SearchGap,
} from '../language-reader.js';
import { resemblanceFinder } from '../resembles.js';
import { searchUnparsed } from '../search-unparsed.js';
import type { SourceTree } from '../source-tree.js';
import { folderOf } from '../tree-path.js';
import { findEntries } from './entries/find-entries.js';
import { type FileLoad, findReachable } from './entries/reachable-files.js';
import { gapsIn } from './gaps/find-gaps.js';
import { quoted } from './mentions/file-strings.js';
import { findMentions } from './mentions/find-mentions.js';
import { packageNamed } from './mentions/package-names.js';
import { type ResolvedReference, type ResolvedSource, usesIn } from './package-uses.js';
import { readInFull, readSources } from './parse/read-sources.js';
import { readCompilerOptions } from './project/compiler-options.js';
import { type Manifest, nearest, readManifests, registryName, workspacesOf } from './project/manifests.js';
import { readBundlerAliases } from './resolve/bundler-aliases.js';
import { FileLookup } from './resolve/file-lookup.js';
import { Resolver } from './resolve/resolver.js';
import { isVirtualModule } from './resolve/virtual-modules.js';
import { roleOf } from './roles.js';
import { sourceKindOf } from './source-kinds.js';

/** Reads JavaScript and TypeScript, and the scripts of Vue, Svelte and Astro components. */
export const javascriptReader: LanguageReader = {
  name: 'javascript',
  ecosystem: 'npm',
  reads: (path) => sourceKindOf(path) !== null,
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
  const runsMarkdown = (folder: string) => nearestSite(manifests, folder);
  const readingContext = { compilerOptions, namesPackage, runsMarkdown };
  const read = await readSources(tree, readingContext);
  const sources = read.sources.map(({ path, kind, references }) => ({
    path,
    kind,
    references: references.map((placed) => ({
      ...placed,
      resolution: resolver.resolve(placed.reference.specifier, path),
    })),
  }));

  const byPath = new Map(sources.map((source) => [source.path, source]));
  const named = findEntries(tree, manifests, lookup, options.entries);
  const pages = options.entries.length > 0 ? [] : pageEntries(sources, runsMarkdown);
  const entries = withPages(
    named.filter(({ file }) => isSourceOrUnread(file, byPath)),
    pages,
  );
  const reached = await findReachable(
    entries.map(({ file }) => file),
    (file) => loadsOf(byPath.get(file)?.references ?? []),
    async (file) => {
      const source = byPath.get(file);
      if (source !== undefined) readInFull(tree, source, readingContext);
      // The parser frees its memory when the event loop runs.
      await nextMacrotask();
    },
  );
  const roleIn = (path: string): Role => (reached.has(path) ? 'prod' : roleOf(path));

  const uses = sources.flatMap((source) =>
    usesIn(source, {
      isPackage,
      lockedNames,
      role: roleIn(source.path),
      reached: reached.has(source.path),
      readInFull: () => readInFull(tree, source, readingContext),
    }),
  );
  const unparsed = new Set(read.unparsed);
  const mentions = await findMentions(tree, { manifests, lockedNames, uses, roleIn, reached, unparsed });
  const search = {
    ecosystem: 'npm',
    words: quoted,
    meaning: quotedPackages(lockedNames, manifests, importedByFile(unparsed, uses)),
    roleIn,
    reached,
  } as const;
  const isProduction = (path: string) => reached.has(path) || (entries.length === 0 && roleIn(path) === 'prod');
  const resembling = resemblanceFinder([...lockedNames]);
  const gaps = sources.flatMap((source) =>
    isProduction(source.path) ? gapsIn(source, { isPackage, lockedNames, resembling }) : [],
  );
  const searchUses: PackageUse[] = [];
  let failed = 0;
  for (const path of read.unparsed) {
    const found = await searchUnparsed(tree, [path], search);
    for (const use of found.uses) searchUses.push(use);
    failed += found.failed;
    if (found.failed > 0 && (isProduction(path) || roleIn(path) === 'prod')) gaps.push(unreadFile(path));
  }
  const unresolved = sources.flatMap((source) => source.references.filter((one) => isUnresolved(one, isPackage)));
  return {
    uses: [...uses, ...mentions, ...searchUses],
    entries: entries.toSorted((a, b) => (a.file < b.file ? -1 : 1)),
    files: sources.length,
    bytes: read.bytes,
    parseErrors: read.parseErrors,
    searched: read.unparsed.length - failed,
    skipped: failed,
    unresolved: unresolved.filter((one) => !isComputed(one)).length,
    unknownDynamic: unresolved.filter(isComputed).length,
    gaps,
    reachedFiles: reached,
  };
}

/** Whether the nearest manifest depends on a generator of sites that runs the imports of Markdown. */
function nearestSite(manifests: ReadonlyMap<string, Manifest>, folder: string): boolean {
  const declared = nearest(manifests, folder)?.declared;
  return declared !== undefined && siteGenerators.some((name) => declared.has(name));
}

const siteGenerators = [
  'vitepress',
  'vuepress',
  '@docusaurus/core',
  '@docusaurus/preset-classic',
  'nextra',
  '@mdx-js/loader',
];

/** A page starts where a browser opens it: it and what it imports are production, unless it belongs to tests. */
function pageEntries(sources: readonly ResolvedSource[], runsMarkdown: (folder: string) => boolean): readonly Entry[] {
  return sources.flatMap(({ path, kind, references }) => {
    const isPage = kind.blocks === 'page' || (kind.blocks === 'markdown' && runsMarkdown(folderOf(path)));
    return isPage && references.length > 0 && roleOf(path) !== 'test'
      ? { file: path, why: 'a page with a script' }
      : [];
  });
}

function withPages(entries: readonly Entry[], pages: readonly Entry[]): readonly Entry[] {
  const named = new Set(entries.map(({ file }) => file));
  return [...entries, ...pages.filter(({ file }) => !named.has(file))];
}

/** Not a page without scripts, nor a file without extension that is no script. */
function isSourceOrUnread(file: string, sources: ReadonlyMap<string, unknown>): boolean {
  const kind = sourceKindOf(file);
  return sources.has(file) || (kind?.reading === 'parsed' && kind.blocks === 'none');
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

function loadsOf(references: readonly ResolvedReference[]): readonly FileLoad[] {
  return references.flatMap(({ reference, resolution, line }) =>
    reference.typeOnly || reference.mock || resolution.files.length === 0
      ? []
      : { files: resolution.files, line, isCertain: !reference.erasureUnknown },
  );
}

function unreadFile(path: string): SearchGap {
  return { kind: 'unread_file', file: path, line: null, detail: 'too large to be searched, or gone', hides: 'any' };
}

function isUnresolved({ reference, resolution }: ResolvedReference, isPackage: (name: string) => boolean): boolean {
  if (resolution.builtin || resolution.files.length > 0 || reference.kind === 'resolve') return false;
  if (typeof reference.specifier === 'string' && isVirtualModule(reference.specifier)) return false;
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
