import type {
  Entry,
  KnownPackage,
  LanguageFindings,
  LanguageReader,
  PackageUse,
  Role,
  SourceTree,
} from '../analysis/language.js';
import { readCompilerOptions } from './compiler-options.js';
import { findEntries } from './entries.js';
import { FileLookup } from './file-lookup.js';
import { reachedFrom } from './import-graph.js';
import { readManifests, workspacesOf } from './manifests.js';
import { findMentions } from './mentions.js';
import { type PlacedReference, type ReadSource, readSources } from './read-sources.js';
import { type Resolution, Resolver } from './resolver.js';
import { roleOf } from './roles.js';
import { sourceKindOf } from './source-kinds.js';

/** Reads JavaScript and TypeScript, and the scripts of Vue, Svelte and Astro components. */
export const javascriptReader: LanguageReader = {
  name: 'javascript',
  reads: (path) => sourceKindOf(path) !== null,
  analyse,
};

interface ResolvedReference extends PlacedReference {
  readonly resolution: Resolution;
}

interface ResolvedSource extends Omit<ReadSource, 'references'> {
  readonly references: readonly ResolvedReference[];
}

async function analyse(
  tree: SourceTree,
  known: readonly KnownPackage[],
  options: { readonly entries: readonly string[] },
): Promise<LanguageFindings> {
  const manifests = await readManifests(tree);
  const workspaces = await workspacesOf(tree, manifests);
  const compilerOptions = await readCompilerOptions(tree);
  const locked = new Set(known.filter(({ ecosystem }) => ecosystem === 'npm').map(({ name }) => name));
  const declared = new Set([...manifests.values()].flatMap((manifest) => [...manifest.declared.keys()]));
  const isPackage = (name: string) => locked.has(name) || (declared.has(name) && !workspaces.has(name));
  const lookup = new FileLookup(new Set(tree.files.map(({ path }) => path)), manifests);
  const resolver = new Resolver({ lookup, manifests, workspaces, compilerOptions, isPackage });

  const read = await readSources(tree, compilerOptions);
  const sources = read.sources.map(({ path, kind, references }) => ({
    path,
    kind,
    references: references.map((placed) => ({
      ...placed,
      resolution: resolver.resolve(placed.reference.specifier, path),
    })),
  }));
  const entries = await findEntries(tree, manifests, lookup, options.entries);
  const reached = reachedFrom(
    entries.map(({ file }) => file),
    edgesOf(sources),
  );
  const roleIn = (path: string): Role => (reached.has(path) ? 'prod' : roleOf(path));

  const uses = sources.flatMap((source) => usesOf(source, { isPackage, reached, roleIn, locked }));
  const mentions = await findMentions(tree, { manifests, locked, uses, roleIn, reached });
  const unresolved = sources.flatMap((source) => source.references.filter((one) => isUnresolved(one, isPackage)));
  return {
    uses: [...uses, ...mentions],
    entries: entries.toSorted((a: Entry, b: Entry) => (a.file < b.file ? -1 : 1)),
    files: sources.length,
    bytes: read.bytes,
    parseErrors: read.parseErrors,
    skipped: read.skipped,
    unresolved: unresolved.filter((one) => !isComputed(one)).length,
    unknownDynamic: read.unknownDynamic + unresolved.filter(isComputed).length,
  };
}

/** Which files each file loads when it runs. */
function edgesOf(sources: readonly ResolvedSource[]): Map<string, Set<string>> {
  return new Map(
    sources.map(({ path, references }) => [
      path,
      new Set(
        references.flatMap(({ reference, resolution }) =>
          reference.typeOnly || reference.mock ? [] : resolution.files,
        ),
      ),
    ]),
  );
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
}

function usesOf(
  { path, kind, references }: ResolvedSource,
  { isPackage, reached, roleIn, locked }: Context,
): PackageUse[] {
  const uses: PackageUse[] = [];
  const typed = new Set<string>();
  const role = roleIn(path);
  for (const { reference, resolution, line, column } of references) {
    const { kind: how, typeOnly, mock, symbols, symbolsComplete } = reference;
    const place = { file: path, line, column, kind: how, role, reached: reached.has(path) };
    const name = resolution.package?.name;
    if (name !== undefined && isPackage(name)) {
      const subpath = resolution.package?.subpath ?? null;
      const site = { ...place, typeOnly, mock, subpath, symbols: [...symbols].sort(), symbolsComplete };
      uses.push({ ecosystem: 'npm', packageName: name, site });
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
