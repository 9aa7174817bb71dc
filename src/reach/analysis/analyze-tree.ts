import { posix, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import { usageReport } from '../../procedures/usage-report.js';
import { formatCount } from '../../shared/text/number-text.js';
import type { KnownPackage, LanguageFindings } from '../languages/language-reader.js';
import type { SourceTree } from '../languages/source-tree.js';
import { lockfileNames } from '../lockfiles/kinds.js';
import { LockfileError } from '../lockfiles/source.js';
import { assemble } from './assemble.js';
import { readCommit } from './commit.js';
import { fitReport } from './fit-report.js';
import type { CountedGap, FoundGap } from './found-gap.js';
import { withHeartbeat } from './heartbeat.js';
import type { LoadingEvidence, ReadTree } from './loading.js';
import { withOwnModules } from './own-modules.js';
import { type ReadSources, readSources } from './read-sources.js';
import { searchedEcosystems } from './searched-ecosystems.js';
import type { WireReport } from './site-evidence.js';
import { type WalkedTree, walkTree } from './tree.js';
import { readTreeLockfiles, type TreeLockfile } from './tree-lockfiles.js';
import { selectWorkspace } from './workspaces.js';

export interface AnalyzeOptions {
  /** The folder of the source. */
  readonly folder: string;
  /** Files that production starts from, instead of those that are found; relative to the folder or to the working directory. */
  readonly entries: readonly string[];
  /** A package or folder of the tree: only what belongs to it counts as use. */
  readonly workspace?: string | undefined;
  /** Finds what is loaded, besides reading the project's own source: in its dependencies, or by recorded runs. */
  readonly findLoaded?: ((read: ReadTree) => Promise<readonly LoadingEvidence[]>) | undefined;
  /** Of this program. */
  readonly version: string;
  /** Called with each step, and a few times a second while files are read. */
  readonly progress: (step: string) => void;
}

export interface TreeAnalysis {
  /** Valid, and within the limit of bytes. */
  readonly report: WireReport;
  /** Reasons why the report is not complete, fit to be shown. */
  readonly faults: readonly string[];
  /** Where uses may be hidden, of all ecosystems; at most 10,000. */
  readonly gaps: readonly CountedGap[];
  /** No source file was read for any of the lock files' packages, so that nothing can be said of their use. */
  readonly readNothing: boolean;
}

/** A given entry is no file of the tree. */
export class EntryError extends Error {
  override readonly name = 'EntryError';
}

/**
 * Analyzes a source tree: which packages of its lock files are used, how and where. It runs no code of the tree, and reads
 * nothing outside of it.
 *
 * @throws TreeError, EntryError, WorkspaceError for options that do not fit the tree
 * @throws LockfileError where the tree has no lock file, or none that can be read
 * @throws what `findLoaded` throws
 */
export async function analyzeTree(options: AnalyzeOptions): Promise<TreeAnalysis> {
  const { folder, workspace, version, progress } = options;
  const start = performance.now();
  const generatedAt = new Date().toISOString();
  progress('walking the tree');
  const walked = await walkTree(folder);
  progress('reading lock files');
  const { lockfiles, faults } = await readTreeLockfiles(walked);
  if (lockfiles.length === 0) throw noLockfile(folder, faults);
  const { tree: whole, unread } = await withOwnModules(walked, lockfiles);
  const tree = withHeartbeat(whole, progress);
  const isSelected = workspace === undefined ? () => true : selectWorkspace(tree, workspace);
  const entries = options.entries.map((entry) => entryPath(tree, entry));
  const read = await readSources(tree, knownPackages(lockfiles), entries, progress);
  const { findings, filesOf } = read;
  const selected = selectedOf(read, isSelected);
  const { uses } = selected;
  const loading = (await options.findLoaded?.({ tree, lockfiles, ...selected })) ?? [];
  progress('joining with the dependency graph');
  const { dependencies, ecosystems, gaps, unnameable } = assemble(lockfiles, uses, {
    loading,
    gaps: [...read.gaps, ...unread.map(unreadModule)].filter(({ file }) => file === '.' || isSelected(file)),
    reachedFiles: read.reachedFiles,
    sources: read.sources,
  });
  const passedOver = tree.passedOver + unnameable;
  const allFaults = [...faults, ...treeFaults(tree, read.missed + passedOver)];
  const report = fitReport({
    schema: 'reach/1',
    tool: { name: 'reach', version },
    generated_at: generatedAt,
    commit: readCommit(tree.root),
    lockfiles: lockfiles.map(({ path, sha256 }) => ({ path, sha256 })),
    stats: { ...statsOf(findings, passedOver), duration_ms: Math.round(performance.now() - start) },
    entries: reportedEntries(findings, isSelected),
    complete: allFaults.length === 0 && gaps.length === 0,
    ecosystems: searchedEcosystems(
      dependencies.map(({ usage, gaps }, index) => ({ usage, gaps, ecosystem: ecosystems[index] ?? 'npm' })),
      gaps,
      loading,
      filesOf,
    ),
    dependencies,
  });
  // A report that the service would reject is a fault of this program: that throws here.
  z.decode(usageReport, report);
  const lost = dependencies.length - report.dependencies.length;
  const leftOut = `${formatCount(lost)} packages are left out: the report would be too large`;
  return {
    report,
    faults: lost > 0 ? [...allFaults, leftOut] : allFaults,
    gaps: gaps.slice(0, maxGaps),
    readNothing: ecosystems.every((ecosystem) => (filesOf.get(ecosystem) ?? 0) === 0),
  };
}

/** Entries that a report can hold, gaps that are listed, and characters of the reason for one. */
const maxEntries = 10_000;
const maxGaps = 10_000;
const maxReasonLength = 256;

function selectedOf({ findings, gaps, reachedFiles }: ReadSources, isSelected: (file: string) => boolean) {
  return {
    uses: findings.flatMap((each) => each.uses.filter(({ site }) => isSelected(site.file))),
    gaps: gaps.filter(({ file }) => isSelected(file)),
    reachedFiles: new Map([...reachedFiles].filter(([file]) => isSelected(file))),
  };
}

function statsOf(findings: readonly LanguageFindings[], passedOver: number) {
  const sum = (count: (each: LanguageFindings) => number) => findings.reduce((total, each) => total + count(each), 0);
  return {
    files: sum((each) => each.files),
    bytes: sum((each) => each.bytes),
    parse_errors: sum((each) => each.parseErrors),
    searched: sum((each) => each.searched),
    skipped: sum((each) => each.skipped) + passedOver,
    unresolved: sum((each) => each.unresolved),
    unknown_dynamic: sum((each) => each.unknownDynamic),
  };
}

function reportedEntries(findings: readonly LanguageFindings[], isSelected: (file: string) => boolean) {
  return findings
    .flatMap((each) => each.entries)
    .filter(({ file }) => isSelected(file))
    .slice(0, maxEntries)
    .map(({ file, why }) => ({ file, why: why.slice(0, maxReasonLength) }));
}

function unreadModule(file: string): FoundGap {
  const detail = 'a package that no lock file has, among too many to be the project’s own';
  return { kind: 'unread_file', ecosystem: 'npm', file, line: null, detail, hides: 'any' };
}

function treeFaults({ truncated }: WalkedTree, missed: number): string[] {
  const files = `${formatCount(missed)} ${missed === 1 ? 'file' : 'files'}`;
  const why = 'too large, not to be opened, or with a name that a report cannot hold';
  return [
    ...(missed > 0 ? [`${files} could not be read or searched (${why})`] : []),
    ...(truncated ? ['The tree has more files than are read: analyze its parts one by one.'] : []),
  ];
}

function entryPath({ root, files }: SourceTree, entry: string): string {
  const candidates = [posix.normalize(entry), relative(root, resolve(entry)).split(sep).join('/')];
  const found = candidates.find((candidate) => files.some(({ path }) => path === candidate));
  if (found === undefined) throw new EntryError(`--entry ${entry} is no file of the tree ${root}`);
  return found;
}

function noLockfile(folder: string, faults: readonly string[]): LockfileError {
  if (faults.length > 0) return new LockfileError(folder, `none of its lock files can be read: ${faults.join('; ')}`);
  return new LockfileError(folder, `has no lock file, so its packages are not known: expected one of ${lockfileNames}`);
}

function knownPackages(lockfiles: readonly TreeLockfile[]): KnownPackage[] {
  const known = new Map<string, KnownPackage>();
  for (const { packages } of lockfiles) {
    for (const { ecosystem, name, version } of packages) {
      known.set(`${ecosystem} ${name} ${version}`, { ecosystem, name, version });
    }
  }
  return [...known.values()];
}
