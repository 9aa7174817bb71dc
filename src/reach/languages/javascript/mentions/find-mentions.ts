import { setImmediate as nextMacrotask } from 'node:timers/promises';
import { isTool } from '../../../knowledge/development-tools.js';
import { rowsOf } from '../../../knowledge/knowledge.js';
import { noDetails, type PackageSite, type PackageUse, type Role } from '../../language-reader.js';
import { positionsIn } from '../../positions.js';
import type { SourceTree, TreeFile } from '../../source-tree.js';
import { fileNameOf, folderOf } from '../../tree-path.js';
import { type Manifest, registryName } from '../project/manifests.js';
import { sourceKindOf } from '../source-kinds.js';
import { isConfiguration } from './file-types.js';
import { mayBeOwnStyle } from './loaded-styles.js';
import type { Mention } from './mention.js';
import { mentionsInText } from './mentions-in-text.js';
import { type NameSearch, packageNamed, searchFor } from './package-names.js';
import { type StartedScripts, startedScripts } from './started-scripts.js';
import { isCheckingFile } from './tool-settings.js';

const drivers = Object.entries(rowsOf('javascript/drivers'));

/** What decides which packages are searched for, and where. */
export interface MentionContext {
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly lockedNames: ReadonlySet<string>;
  readonly uses: readonly PackageUse[];
  /** Places, as `file:line:column`, that import a file of the project: `./helpers/moment.js` is no asset of a package. */
  readonly projectImports: readonly string[];
  readonly roleIn: (path: string) => Role;
  /** The role in which a file outside of production uses a package. */
  readonly roleOfUse: (path: string, packageName: string) => Role;
  readonly reached: { has(path: string): boolean };
  /** Source files that could not be parsed; another search reads them. */
  readonly unparsed: ReadonlySet<string>;
}

/** Limit of mentions of one package. That a package is mentioned matters, not how often. */
const maxSites = 50;
const maxConfigBytes = 256 * 1024;
const filesPerBatch = 32;

/** What is searched for, and what decides on a mention that is found. */
interface MentionSearch extends MentionContext {
  /** As `namesToSearch` gives them. */
  readonly names: ReadonlyMap<string, string>;
  readonly search: NameSearch;
  /** Paths of the tree. */
  readonly files: ReadonlySet<string>;
  readonly started: StartedScripts;
}

/**
 * Finds packages that no production code imports, but a string names: in production code, a configuration, a style sheet,
 * the name of a patch, a script of package.json or a start command. Comments and lists of dependencies do not count.
 */
export async function findMentions(tree: SourceTree, context: MentionContext): Promise<readonly PackageUse[]> {
  const names = namesToSearch(context);
  if (names.size === 0) return [];
  const files = new Set(tree.files.map(({ path }) => path));
  const started = startedScripts(tree, context.manifests);
  const search = { ...context, names, search: searchFor(names), files, started };
  const counts = new Map<string, number>();
  const imported = new Set(context.uses.map(({ site }) => `${site.file}:${site.line}:${site.column}`));
  for (const place of context.projectImports) imported.add(place);
  const uses: PackageUse[] = [];
  let filesRead = 0;
  for (const file of tree.files) {
    const found = mentionsIn(tree, file, search);
    if (found === null) continue;
    for (const use of found) {
      const { line, column } = use.site;
      const count = counts.get(use.packageName) ?? 0;
      // The position of an import is its quote, one column before the name.
      if (count >= maxSites || imported.has(`${file.path}:${line}:${column - 1}`)) continue;
      counts.set(use.packageName, count + 1);
      uses.push(use);
    }
    if (++filesRead % filesPerBatch === 0) await nextMacrotask();
  }
  return uses;
}

/** What a file mentions, by its text and by its name; null for a file that is not searched. */
function mentionsIn(tree: SourceTree, { path, bytes }: TreeFile, search: MentionSearch): PackageUse[] | null {
  const { names, manifests, unparsed } = search;
  const role = search.roleIn(path);
  const isSearched =
    role !== 'test' &&
    !unparsed.has(path) &&
    (isReadAnyway(path) || (bytes <= maxConfigBytes && isText(path, manifests)));
  const patched = patchedNames(path).flatMap((name) => names.get(name) ?? [])[0];
  if (!isSearched && patched === undefined) return null;
  const text = isSearched ? tree.read(path) : null;
  const positionOf = positionsIn(text ?? '');
  const mentions: Mention[] = text === null ? [] : [...mentionsInText(path, text, search.search, role)];
  if (patched !== undefined) mentions.push({ packageName: patched, subpath: null, offset: 0, role: 'config' });
  return mentions.map((mention) => {
    const { packageName, subpath, offset } = mention;
    const judged = judge(path, mention, role, search);
    const reached = judged.role === 'prod' && search.reached.has(path);
    return {
      ecosystem: 'npm',
      packageName,
      site: { file: path, ...positionOf(offset), ...judged, reached, ...noDetails, subpath },
    };
  });
}

/** Whether a mention loads its package, and the role in which it does. */
function judge(path: string, mention: Mention, role: Role, search: MentionSearch): Pick<PackageSite, 'kind' | 'role'> {
  const { packageName } = mention;
  const run = roleOfRun(path, mention, search);
  const isCertain = (role === 'prod' || role === 'config') && isLoaded(path, mention, search);
  const kind = run === 'started' && role === 'prod' ? 'dynamic' : isCertain ? 'import' : 'mention';
  if (isCertain) return { kind, role: 'prod' };
  const mentionRole = run === 'started' ? 'prod' : run;
  const isScript = mentionRole === 'script' && sourceKindOf(path) !== null;
  const named = isScript ? search.roleOfUse(path, packageName) : mentionRole;
  const isOfTool = named === 'config' && (isCheckingFile(path) || isTool('npm', packageName, 'settings'));
  return { kind, role: isOfTool ? 'script' : named };
}

/** The role of a mention; for the program of a package that a script runs, that of the script. */
function roleOfRun(path: string, { packageName, role, runBy }: Mention, { manifests, started }: MentionSearch) {
  if (runBy === undefined || role !== 'prod') return role;
  return started.roleOf(manifests.get(folderOf(path)), runBy, packageName);
}

function isLoaded(path: string, { packageName, loadedAs }: Mention, { names, files }: MentionSearch): boolean {
  return (
    loadedAs !== undefined &&
    packageNamed(loadedAs, names)?.packageName === packageName &&
    !mayBeOwnStyle(path, loadedAs, files)
  );
}

function isReadAnyway(path: string): boolean {
  const kind = sourceKindOf(path);
  return kind !== null && kind.reading !== 'recognised';
}

/** Whether a file that is no source, or may be none, can name packages. */
function isText(path: string, manifests: ReadonlyMap<string, Manifest>): boolean {
  return sourceKindOf(path)?.reading === 'recognised' || isConfiguration(path, manifests);
}

/**
 * The registry's name of each package to search for, by the name that the project uses: the locked packages that manifests
 * declare, without those that production imports. All locked packages, if no manifest declares any.
 */
function namesToSearch({ manifests, lockedNames, uses }: MentionContext): ReadonlyMap<string, string> {
  const imported = new Set(
    uses
      .filter(({ site }) => site.role === 'prod' && !site.typeOnly && !site.mock)
      .map(({ packageName }) => packageName),
  );
  const declared = [...manifests.values()].flatMap((manifest) => [...manifest.declared]);
  const pairs = declared.map(([name, range]) => [name, registryName(name, range)] as const);
  const all = pairs.length > 0 ? pairs : [...lockedNames].map((name) => [name, name] as const);
  const names = new Map(all.filter(([, packageName]) => lockedNames.has(packageName) && !imported.has(packageName)));
  for (const [database, known] of drivers)
    for (const driver of known) if (names.has(driver) && !names.has(database)) names.set(database, driver);
  return names;
}

/**
 * The possible names of the package that a patch changes, by the patch's file name: `@scope+name+1.0.0.patch`
 * (patch-package), `@scope__name@1.0.0.patch` (pnpm), `@scope-name-npm-1.0.0-0123456789.patch` (Yarn).
 */
function patchedNames(path: string): readonly string[] {
  const name = fileNameOf(path);
  if (!name.endsWith('.patch')) return [];
  const stem = name.slice(0, -'.patch'.length);
  const nested = stem.split('++').at(-1) ?? stem;
  const patchPackage = /^((?:@[^+]+\+)?[^+]+)\+\d/.exec(nested)?.[1]?.replace('+', '/');
  const pnpm = /^(@?[^@]+)(?:@\d.*)?$/.exec(stem)?.[1]?.replace('__', '/');
  const yarn = /^(.+)-(?:npm|patch)-/.exec(stem)?.[1];
  const scoped = yarn?.startsWith('@') ? yarn.replace('-', '/') : yarn;
  return [patchPackage, pnpm, scoped].filter((found) => found !== undefined);
}
