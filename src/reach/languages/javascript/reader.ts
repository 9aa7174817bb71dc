import { setImmediate as nextMacrotask } from 'node:timers/promises';
import type {
  Entry,
  KnownPackage,
  LanguageFindings,
  LanguageReader,
  PackageSite,
  PackageUse,
  Role,
} from '../language-reader.js';
import { searchUnparsed } from '../search-unparsed.js';
import type { SourceTree } from '../source-tree.js';
import { readCompilerOptions } from './compiler-options.js';
import { findEntries } from './entries.js';
import { FileLookup } from './file-lookup.js';
import { type Loads, reachedFrom } from './import-graph.js';
import { readManifests, workspacesOf } from './manifests.js';
import { findMentions } from './mentions.js';
import { quoted } from './quoted-strings.js';
import { type PlacedReference, type ReadSource, readAgain, readSources } from './read-sources.js';
import type { Reference } from './reference.js';
import { type Resolution, Resolver } from './resolver.js';
import { roleOf } from './roles.js';
import { sourceKindOf } from './source-kinds.js';
import { quotedPackages } from './unparsed.js';

/** Reads JavaScript and TypeScript, and the scripts of Vue, Svelte and Astro components. */
export const javascriptReader: LanguageReader = {
  name: 'javascript',
  ecosystem: 'npm',
  reads: (path) => sourceKindOf(path) !== null,
  analyze,
};

interface ResolvedReference extends PlacedReference {
  readonly resolution: Resolution;
}

interface ResolvedSource extends Omit<ReadSource, 'references'> {
  readonly references: readonly ResolvedReference[];
}

async function analyze(
  tree: SourceTree,
  known: readonly KnownPackage[],
  options: { readonly entries: readonly string[] },
): Promise<LanguageFindings> {
  const manifests = readManifests(tree);
  const workspaces = workspacesOf(tree, manifests);
  const compilerOptions = readCompilerOptions(tree);
  const locked = new Set(known.filter(({ ecosystem }) => ecosystem === 'npm').map(({ name }) => name));
  const declared = new Set([...manifests.values()].flatMap((manifest) => [...manifest.declared.keys()]));
  const isPackage = (name: string) => locked.has(name) || (declared.has(name) && !workspaces.has(name));
  const lookup = new FileLookup(new Set(tree.files.map(({ path }) => path)), manifests);
  const resolver = new Resolver({ lookup, manifests, workspaces, compilerOptions, isPackage });

  const namesPackage = (specifier: string, path: string) => {
    if (specifier.startsWith('.')) return false;
    const name = resolver.resolve(specifier, path).package?.name;
    return name !== undefined && isPackage(name);
  };
  const context = { compilerOptions, namesPackage };
  const read = await readSources(tree, context);
  const sources = read.sources.map(({ path, kind, references }) => ({
    path,
    kind,
    references: references.map((placed) => ({
      ...placed,
      resolution: resolver.resolve(placed.reference.specifier, path),
    })),
  }));
  const entries = findEntries(tree, manifests, lookup, options.entries);
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const reached = await reachedFrom(
    entries.map(({ file }) => file),
    (file) => loadsOf(byPath.get(file)?.references ?? []),
    async (file) => {
      const source = byPath.get(file);
      if (source !== undefined) readAgain(tree, source, context);
      // The parser gives its memory back between turns.
      await nextMacrotask();
    },
  );
  const roleIn = (path: string): Role => (reached.has(path) ? 'prod' : roleOf(path));

  const uses = sources.flatMap((source) =>
    usesOf(source, { isPackage, reached, roleIn, locked, readAgain: () => readAgain(tree, source, context) }),
  );
  const unparsed = new Set(read.unparsed);
  const mentions = await findMentions(tree, { manifests, locked, uses, roleIn, reached, unparsed });
  const found = await searchUnparsed(tree, read.unparsed, {
    ecosystem: 'npm',
    words: quoted,
    meaning: quotedPackages(locked, manifests, importedIn(unparsed, uses)),
    roleIn,
    reached,
  });
  const unresolved = sources.flatMap((source) => source.references.filter((one) => isUnresolved(one, isPackage)));
  return {
    uses: [...uses, ...mentions, ...found.uses],
    entries: entries.toSorted((a: Entry, b: Entry) => (a.file < b.file ? -1 : 1)),
    files: sources.length,
    bytes: read.bytes,
    parseErrors: read.parseErrors,
    searched: found.searched,
    skipped: found.failed,
    unresolved: unresolved.filter((one) => !isComputed(one)).length,
    unknownDynamic: read.unknownDynamic + unresolved.filter(isComputed).length,
  };
}

/** The packages whose values each of the files is known to import. */
function importedIn(files: ReadonlySet<string>, uses: readonly PackageUse[]): ReadonlyMap<string, ReadonlySet<string>> {
  const imported = new Map([...files].map((path) => [path, new Set<string>()]));
  for (const { packageName, site } of uses) if (!site.typeOnly) imported.get(site.file)?.add(packageName);
  return imported;
}

function loadsOf(references: readonly ResolvedReference[]): Loads {
  const loaded = references.filter(({ reference }) => !reference.typeOnly && !reference.mock);
  const filesOf = (which: readonly ResolvedReference[]) => which.flatMap(({ resolution }) => resolution.files);
  return {
    surely: filesOf(loaded.filter(({ reference }) => !reference.unsettled)),
    perhaps: filesOf(loaded.filter(({ reference }) => reference.unsettled)),
  };
}

function isUnresolved({ reference, resolution }: ResolvedReference, isPackage: (name: string) => boolean): boolean {
  if (resolution.builtin || resolution.files.length > 0 || reference.kind === 'resolve') return false;
  return resolution.package === null || !isPackage(resolution.package.name);
}

function isComputed({ reference }: ResolvedReference): boolean {
  return typeof reference.specifier !== 'string';
}

interface Context {
  readonly isPackage: (name: string) => boolean;
  readonly reached: ReadonlySet<string>;
  readonly roleIn: (path: string) => Role;
  readonly locked: ReadonlySet<string>;
  /** Reads of the source what was left open. */
  readonly readAgain: () => void;
}

function usesOf(
  { path, kind, references }: ResolvedSource,
  { isPackage, reached, roleIn, locked, readAgain }: Context,
): PackageUse[] {
  const uses: PackageUse[] = [];
  const typed = new Set<string>();
  const role = roleIn(path);
  for (const { reference, resolution, line, column } of references) {
    const { kind: how, typeOnly, mock } = reference;
    const place = { file: path, line, column, kind: how, role, reached: reached.has(path) };
    const name = resolution.package?.name;
    if (name !== undefined && isPackage(name)) {
      const subpath = resolution.package?.subpath ?? null;
      const site = { ...place, typeOnly, mock, subpath };
      uses.push({ ecosystem: 'npm', packageName: name, site: withSymbols(site, reference, readAgain) });
    }
    // The types of a package without any come from another one: https://github.com/DefinitelyTyped/DefinitelyTyped
    const types = resolution.builtin ? '@types/node' : `@types/${name?.replace(/^@([^/]+)\//, '$1__')}`;
    if (!kind.typescript || mock || typed.has(types) || !locked.has(types)) continue;
    typed.add(types);
    const site = { ...place, typeOnly: true, mock: false, subpath: null, symbols: [], symbolsComplete: false };
    uses.push({ ecosystem: 'npm', packageName: types, site });
  }
  return uses;
}

/** Most places of a package that tests import are never told of: what they use of it is read when it is asked for. */
function withSymbols(
  site: Omit<PackageSite, 'symbols' | 'symbolsComplete'>,
  reference: Reference,
  readAgain: () => void,
): PackageSite {
  if (!reference.unread)
    return { ...site, symbols: [...reference.symbols].sort(), symbolsComplete: reference.symbolsComplete };
  const read = () => {
    if (reference.unread) readAgain();
    return reference;
  };
  return {
    ...site,
    get symbols() {
      return [...read().symbols].sort();
    },
    get symbolsComplete() {
      return read().symbolsComplete;
    },
  };
}
