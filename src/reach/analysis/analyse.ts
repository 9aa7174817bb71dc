import { posix, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import { usageReport } from '../../procedures/usage-report.js';
import { number } from '../../shared/text/number-text.js';
import { lockfileNames } from '../lockfiles/kinds.js';
import { LockfileError } from '../lockfiles/source.js';
import { assemble } from './assemble.js';
import { readCommit } from './commit.js';
import { fitReport } from './fit.js';
import type { KnownPackage, LanguageFindings, SourceTree } from './language.js';
import { readers } from './readers.js';
import type { WireReport } from './site-evidence.js';
import { walkTree } from './tree.js';
import { readTreeLockfiles, type TreeLockfile } from './tree-lockfiles.js';
import { selectWorkspace } from './workspaces.js';

export interface AnalyseOptions {
  /** The folder of the source. */
  readonly folder: string;
  /** Files that production starts from, instead of those that are found; relative to the folder or to the working directory. */
  readonly entries: readonly string[];
  /** A package or folder of the tree: only what belongs to it counts as use. */
  readonly workspace: string | null;
  /** Of this program. */
  readonly version: string;
  /** Told what is being done, for a terminal. */
  readonly progress: (doing: string) => void;
}

export interface Analysis {
  /** Valid, and within the limit of bytes. */
  readonly report: WireReport;
  /** What keeps the report from being complete, each fit to be shown. */
  readonly faults: readonly string[];
}

/** An entry that was given is no file of the tree. */
export class EntryError extends Error {
  override readonly name = 'EntryError';
}

/**
 * Analyses a source tree: which packages of its lock files are used, how and where. Nothing of the tree is run, and
 * nothing outside of it is read.
 *
 * @throws TreeError, EntryError, WorkspaceError for options that do not fit the tree
 * @throws LockfileError where the tree has no lock file, or none that can be read
 */
export async function analyse({ folder, entries, workspace, version, progress }: AnalyseOptions): Promise<Analysis> {
  const start = performance.now();
  const generatedAt = new Date().toISOString();
  progress('walking the tree');
  const tree = await walkTree(folder);
  const isSelected = workspace === null ? () => true : selectWorkspace(tree, workspace);
  const given = entries.map((entry) => entryPath(tree, entry));
  progress('reading lock files');
  const { lockfiles, faults } = await readTreeLockfiles(tree);
  if (lockfiles.length === 0) throw noLockfile(folder, faults);
  const known = knownPackages(lockfiles);
  const findings: LanguageFindings[] = [];
  let missed = 0;
  for (const reader of readers) {
    const files = tree.files.filter(({ path }) => reader.reads(path)).length;
    if (files > 0) progress(`reading ${number(files)} files of ${reader.name}`);
    // Without one, too: a manifest or a script that is not its own may name packages.
    const found = await reader.analyse(tree, known, { entries: given });
    findings.push(found);
    // A file that can name no package of the lock files hides nothing.
    if (known.some(({ ecosystem }) => ecosystem === reader.ecosystem)) missed += found.skipped;
  }
  progress('joining with the dependency graph');
  const uses = findings.flatMap((each) => each.uses.filter(({ site }) => isSelected(site.file)));
  const { dependencies, unnameable } = assemble(lockfiles, uses);
  const sum = (count: (each: LanguageFindings) => number) => findings.reduce((total, each) => total + count(each), 0);
  const passedOver = tree.passedOver + unnameable;
  const allFaults = [
    ...faults,
    ...fault(
      missed + passedOver,
      'could not be read or searched (too large, not to be opened, or with a name that no report can tell)',
    ),
    ...(tree.truncated ? ['The tree has more files than are read: analyse its parts one by one.'] : []),
  ];
  const report = fitReport({
    schema: 'reach/1',
    tool: { name: 'reach', version },
    generated_at: generatedAt,
    commit: readCommit(tree.root),
    lockfiles: lockfiles.map(({ path, sha256 }) => ({ path, sha256 })),
    stats: {
      files: sum((each) => each.files),
      bytes: sum((each) => each.bytes),
      parse_errors: sum((each) => each.parseErrors),
      searched: sum((each) => each.searched),
      skipped: sum((each) => each.skipped) + passedOver,
      unresolved: sum((each) => each.unresolved),
      unknown_dynamic: sum((each) => each.unknownDynamic),
      duration_ms: Math.round(performance.now() - start),
    },
    entries: findings
      .flatMap((each) => each.entries)
      .filter(({ file }) => isSelected(file))
      .slice(0, maxEntries)
      .map(({ file, why }) => ({ file, why: why.slice(0, 256) })),
    complete: allFaults.length === 0,
    dependencies,
  });
  // Throws for what the service would refuse: that would be a fault of this program.
  z.decode(usageReport, report);
  const lost = dependencies.length - report.dependencies.length;
  const leftOut = `${number(lost)} packages are left out: the report would be too large`;
  return {
    report,
    faults: lost > 0 ? [...allFaults, leftOut] : allFaults,
  };
}

/** Entries that a report can carry. */
const maxEntries = 10_000;

function fault(files: number, what: string): string[] {
  return files === 0 ? [] : [`${number(files)} ${files === 1 ? 'file' : 'files'} ${what}`];
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
