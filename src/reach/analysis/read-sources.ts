import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { formatCount } from '../../shared/text/number-text.js';
import { languageReaders } from '../languages/index.js';
import type { KnownPackage, LanguageFindings, LanguageReader, LoadedFrom } from '../languages/language-reader.js';
import { remember } from '../remember.js';
import type { FoundGap } from './found-gap.js';
import type { WalkedTree } from './tree.js';
import type { SourcesByEcosystem } from './unsearched.js';

/** What all languages find in a tree. */
export interface ReadSources {
  readonly findings: readonly LanguageFindings[];
  /** Source files that were read, by ecosystem. */
  readonly filesOf: ReadonlyMap<Ecosystem, number>;
  readonly gaps: readonly FoundGap[];
  readonly reachedFiles: ReadonlyMap<string, LoadedFrom | null>;
  readonly sources: SourcesByEcosystem;
  /** Files that were missed and might name a known package. */
  readonly missed: number;
}

/** Gaps that are kept of one tree; those of one language are limited already. */
const maxGaps = 50_000;

/** Reads a tree in all languages. */
export async function readSources(
  tree: WalkedTree,
  known: readonly KnownPackage[],
  entries: readonly string[],
  progress: (step: string) => void,
): Promise<ReadSources> {
  const findings: LanguageFindings[] = [];
  const filesOf = new Map<Ecosystem, number>();
  const gaps: FoundGap[] = [];
  const reachedFiles = new Map<string, LoadedFrom | null>();
  const sources = new Map<Ecosystem, string[]>();
  let missed = 0;
  for (const reader of languageReaders) {
    const { ecosystem } = reader;
    const paths = tree.files.flatMap(({ path }) => (reader.reads(path) ? [path] : []));
    if (paths.length > 0) progress(`reading ${formatCount(paths.length)} files of ${reader.name}`);
    // Also where there is no file of the language: a manifest or a script of another kind may name its packages.
    const found = await reader.analyze(tree, known, { entries });
    findings.push(found);
    filesOf.set(ecosystem, (filesOf.get(ecosystem) ?? 0) + found.files);
    remember(sources, ecosystem, (): string[] => []).push(...productionFiles(reader, paths, found));
    for (const [file, from] of found.reachedFiles) reachedFiles.set(file, from);
    // A gap or a skipped file hides a use only where the lock files have packages of its ecosystem.
    if (!known.some((each) => each.ecosystem === ecosystem)) continue;
    missed += found.skipped;
    for (const gap of [...found.gaps, ...gapsOfTree(reader, tree)]) {
      if (gaps.length < maxGaps) gaps.push({ ...gap, ecosystem });
    }
  }
  return { findings, filesOf, gaps, reachedFiles, sources, missed };
}

function productionFiles(reader: LanguageReader, paths: readonly string[], found: LanguageFindings): string[] {
  const reached = [...found.reachedFiles.keys()];
  return [...new Set([...reached, ...paths.filter((path) => reader.roleOf(path) === 'prod')])];
}

/** What the walk left out and the language may have read: it could use any package. */
function gapsOfTree(reader: LanguageReader, { unread, truncated }: WalkedTree): LanguageFindings['gaps'] {
  const gap = (file: string, detail: string) =>
    ({ kind: 'unread_file', file, line: null, detail, hides: 'any' }) as const;
  const relevant = unread.filter((path) => path.endsWith('/') || reader.reads(path));
  return [
    ...relevant.map((path) => gap(path, 'not to be opened, or with a name that a report cannot hold')),
    ...(truncated ? [gap('.', 'the tree has more files than are read')] : []),
  ];
}
