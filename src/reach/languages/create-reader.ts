import { setImmediate as nextMacrotask } from 'node:timers/promises';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { gapsOfFiles, type Unanswered } from './gaps-of-files.js';
import type { Connections, Language, LanguageAnalysis, Mention, ParsedFile, Reference, Target } from './language.js';
import {
  type Entry,
  type KnownPackage,
  type LanguageFindings,
  type LanguageReader,
  type LoadedFrom,
  noDetails,
  type PackageSite,
  type PackageUse,
} from './language-reader.js';
import { type Search, searchUnparsed } from './search-unparsed.js';
import type { SourceTree } from './source-tree.js';

/** Files read before timers, signals and progress are served. */
const fileBatchSize = 32;

/** Names, and the signs that join them to paths: `a.b`, `a::b`, `a/b`, `A\\B`, `a-b`. */
const words = /[\w$]{1,200}(?:(?:[./\\-]|::)[\w$]{1,200}){0,20}/g;

/** Different words looked up in the unparsed files of one language. A text has some thousands. */
const maxWords = 200_000;

/** Size of an executable without extension that may be a script; larger ones are programs or data. */
const maxExecutableBytes = 256 * 1024;

const noFiles: readonly string[] = [];

/**
 * Makes the reader of a language: every file is parsed once, then its references are followed. A file is reached when
 * imports within the tree lead to it from an entry point. Given entries replace those that are found.
 */
export function createReader<Parsed extends ParsedFile>(language: Language<Parsed>): LanguageReader {
  return {
    name: language.name,
    ecosystem: language.ecosystem,
    reads: language.reads,
    roleOf: language.roleOf,
    async analyze(tree, known, options) {
      const packageNames = namesOf(known, language.ecosystem);
      const analysis = language.begin(packageNames);
      const { files, unparsed, ...counts } = await parseAll(language, analysis, tree);
      const connections = await analysis.connect(tree, files);
      const entries = entriesOf(language, files, connections, options.entries);
      const reached = filesReachedFrom(entries, files, connections);
      const { uses, unanswered, ...others } = usesOf(language, files, connections, reached);
      const found = await searchUnparsed(tree, unparsed, {
        ecosystem: language.ecosystem,
        words,
        meaning: meaningOf(connections),
        roleIn: (path) => (reached.has(path) ? 'prod' : language.roleOf(path)),
        reached,
      });
      const skipped = found.failed.length;
      const gaps = gapsOfFiles({ files, unanswered, connections, packageNames, roleOf: language.roleOf, reached });
      return {
        ...others,
        ...counts,
        uses: [...uses, ...found.uses],
        entries,
        searched: unparsed.length - skipped,
        skipped,
        gaps: [...found.gaps, ...gaps],
        reachedFiles: reached,
      };
    },
  };
}

async function parseAll<Parsed extends ParsedFile>(
  language: Language<Parsed>,
  analysis: LanguageAnalysis<Parsed>,
  tree: SourceTree,
) {
  const files = new Map<string, Parsed>();
  const unparsed: string[] = [];
  let bytes = 0;
  let parseErrors = 0;
  let unknownDynamic = 0;
  let count = 0;
  for (const { path, bytes: size } of tree.files) {
    const isNamed = language.reads(path);
    if (!isNamed && !(size <= maxExecutableBytes && language.mayRead?.(path))) continue;
    count += 1;
    if (count % fileBatchSize === 0) await nextMacrotask();
    const text = tree.read(path);
    if (text === null) {
      if (isNamed) unparsed.push(path);
      continue;
    }
    const parsed = analysis.parse(path, text);
    if (parsed === null) continue;
    files.set(path, parsed);
    bytes += size;
    unknownDynamic += parsed.unknownDynamic ?? 0;
    if (!parsed.isBroken) continue;
    parseErrors += 1;
    unparsed.push(path);
  }
  return { files, unparsed, bytes, parseErrors, unknownDynamic };
}

function namesOf(known: readonly KnownPackage[], ecosystem: Ecosystem): string[] {
  return [...new Set(known.filter((each) => each.ecosystem === ecosystem).map(({ name }) => name))];
}

function entriesOf<Parsed extends ParsedFile>(
  language: Language<Parsed>,
  files: ReadonlyMap<string, Parsed>,
  connections: Connections,
  given: readonly string[],
): Entry[] {
  const ofLanguage = given.filter((file) => files.has(file));
  if (ofLanguage.length > 0) return ofLanguage.map((file) => ({ file, why: 'given' }));
  const found = new Map<string, Entry>();
  for (const entry of connections.entries ?? []) if (files.has(entry.file)) found.set(entry.file, entry);
  for (const [file, { entry }] of files) {
    if (entry !== null && !found.has(file) && language.roleOf(file) === 'prod') found.set(file, { file, why: entry });
  }
  return [...found.values()];
}

function filesReachedFrom(
  entries: readonly Entry[],
  files: ReadonlyMap<string, ParsedFile>,
  connections: Connections,
): Map<string, LoadedFrom | null> {
  const reached = new Map<string, LoadedFrom | null>(entries.map(({ file }) => [file, null]));
  // All files of a unit share one list, so each list is visited once.
  const visited = new Set<readonly string[]>();
  const visit = (found: readonly string[], from: LoadedFrom) => {
    if (visited.has(found)) return;
    visited.add(found);
    for (const file of found) if (files.has(file) && !reached.has(file)) reached.set(file, from);
  };
  // A map also visits what is added to it meanwhile: the nearest files first.
  for (const file of reached.keys()) {
    visit(connections.sameUnit?.(file) ?? noFiles, { file, line: 1 });
    for (const reference of files.get(file)?.references ?? []) {
      // Test code and types in a production file do not run in production.
      if (reference.typeOnly || reference.role === 'test') continue;
      visit(connections.target(file, reference).files, { file, line: reference.line });
    }
  }
  return reached;
}

function usesOf<Parsed extends ParsedFile>(
  language: Language<Parsed>,
  files: ReadonlyMap<string, Parsed>,
  connections: Connections,
  reached: ReadonlyMap<string, unknown>,
): Pick<LanguageFindings, 'uses' | 'files' | 'unresolved'> & { readonly unanswered: readonly Unanswered[] } {
  const uses: PackageUse[] = [];
  const unanswered: Unanswered[] = [];
  let unresolved = 0;
  for (const [file, { references }] of files) {
    // What production imports is production code, in whichever folder it lies.
    const role = reached.has(file) ? 'prod' : language.roleOf(file);
    for (const reference of references) {
      const target = connections.target(file, reference);
      // A mention is a guess, so one that names nothing does not count as unresolved.
      const isAnswered = target.packages.length + target.files.length > 0 || reference.kind === 'mention';
      if (!isAnswered && !target.needsNoPackage) unresolved += 1;
      unanswered.push(...unansweredBy(file, reference, target, isAnswered));
      for (const { name, subpath } of target.packages) {
        const isDoubtful =
          role === 'script' && reference.role === undefined && connections.isForProduction?.(file, name) === true;
        const site = siteOf(reference, file, {
          kind: isDoubtful ? 'mention' : reference.kind,
          role: isDoubtful ? 'prod' : (reference.role ?? role),
          reached: reached.has(file) && reference.role !== 'test',
          subpath,
        });
        uses.push({ ecosystem: language.ecosystem, packageName: name, site });
      }
    }
  }
  for (const mention of connections.mentions ?? []) uses.push(useOf(mention, language.ecosystem));
  return { uses, files: files.size, unresolved, unanswered };
}

/** What a reference leaves open: itself, and what may be hidden beside the files that answer it. */
function unansweredBy(file: string, reference: Reference, target: Target, isAnswered: boolean): Unanswered[] {
  const { needsNoPackage, hidden, hiddenBeside } = target;
  const isOpen = !isAnswered && (!needsNoPackage || hidden);
  return [
    ...(isOpen ? [{ file, reference, target }] : []),
    ...(hiddenBeside ? [{ file, reference, target: { ...target, hidden: hiddenBeside } }] : []),
  ];
}

function siteOf(
  { line, column, typeOnly = false, symbols = [], symbolsComplete = false }: Reference,
  file: string,
  judged: Pick<PackageSite, 'kind' | 'role' | 'reached' | 'subpath'>,
): PackageSite {
  return { file, line, column, ...judged, typeOnly, mock: false, symbols, symbolsComplete };
}

function useOf({ packageName, isCertain, ...place }: Mention, ecosystem: Ecosystem): PackageUse {
  return {
    ecosystem,
    packageName,
    site: { ...place, kind: isCertain ? 'dynamic' : 'mention', reached: place.role === 'prod', ...noDetails },
  };
}

/** Reads each word of a broken file as a reference: the whole word, and each name in it. */
function meaningOf(connections: Connections): Search['meaning'] {
  const known = new Map<string, readonly string[]>();
  return (word, path) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    if (known.size >= maxWords) return null;
    const packages = [word, ...word.split(/\W+/)].flatMap((target) => {
      const reference = { target, line: 1, column: 1, kind: 'mention' } as const;
      return connections.target(path, reference).packages.map(({ name }) => name);
    });
    known.set(word, packages);
    return packages;
  };
}
