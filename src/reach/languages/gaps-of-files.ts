import type { Connections, FileGap, ParsedFile, Reference, Target } from './language.js';
import type { Role, SearchGap } from './language-reader.js';
import { resemblanceFinder } from './resembles.js';

/** Gaps that one language reports; hostile source has more. */
const maxGaps = 10_000;

/** Characters of a gap's detail. */
const maxDetailLength = 256;

/** A reference that names neither a file of the tree nor a package of the lock files. */
export interface Unanswered {
  readonly file: string;
  readonly reference: Reference;
  readonly target: Target;
}

export interface SearchedFiles {
  readonly files: ReadonlyMap<string, ParsedFile>;
  readonly unanswered: readonly Unanswered[];
  readonly connections: Connections;
  readonly packageNames: readonly string[];
  readonly roleOf: (path: string) => Role;
  readonly reached: { has(path: string): boolean; readonly size: number };
}

/**
 * The places where production code may use packages that its references do not name. Production is what an entry point
 * reaches, and all files with that role: an entry point that nobody found may reach those.
 */
export function gapsOfFiles(searched: SearchedFiles): SearchGap[] {
  const { files, unanswered, connections, packageNames, roleOf, reached } = searched;
  const isProduction = (file: string) => reached.has(file) || roleOf(file) === 'prod';
  const resembling = resemblanceFinder(packageNames);
  const gaps: SearchGap[] = [...(connections.gaps ?? [])];
  for (const [file, parsed] of files) {
    if (!isProduction(file)) continue;
    for (const gap of parsed.gaps ?? unknownImports(parsed)) gaps.push({ ...gap, file });
  }
  for (const { file, reference, target } of unanswered) {
    if (gaps.length > maxGaps) break;
    const hidden = isProduction(file) ? hiddenBy(reference, target, resembling) : null;
    if (hidden !== null) gaps.push({ ...hidden, file });
  }
  return limited(gaps);
}

/** What is beyond the limit could hide anything, and so is one gap that does. */
function limited(gaps: readonly SearchGap[]): SearchGap[] {
  const kept = gaps.slice(0, maxGaps).map((gap) => ({ ...gap, detail: gap.detail.slice(0, maxDetailLength) }));
  const beyond = gaps[maxGaps];
  return beyond === undefined
    ? kept
    : [...kept, { ...beyond, detail: 'and more places than are listed', hides: 'any' }];
}

function unknownImports({ unknownDynamic = 0 }: ParsedFile): FileGap[] {
  if (unknownDynamic === 0) return [];
  return [{ kind: 'unknown_dynamic', line: null, detail: 'an import whose target is computed', hides: 'any' }];
}

type Resembling = ReturnType<typeof resemblanceFinder>;

function hiddenBy(
  { typeOnly, role, line, target: spelled }: Reference,
  { hidden, needsNoPackage }: Target,
  resembling: Resembling,
): FileGap | null {
  // Types and test code do not run in production.
  if (typeOnly || (role !== undefined && role !== 'prod') || hidden === null) return null;
  if (hidden !== undefined) return { ...hidden, line };
  if (needsNoPackage) return null;
  const hides = resemblingTarget(spelled, resembling);
  return hides.length === 0 ? null : { kind: 'unowned_import', line, detail: spelled, hides };
}

/** The first part of `a.b.c` or `a::b` names the package in most languages. A short one says too little alone. */
function resemblingTarget(target: string, resembling: Resembling): readonly string[] | 'any' {
  const [first = target] = target.split(/[.:/\\]/);
  const alike = resembling(first);
  return first.length >= 4 || alike.length > 0 ? alike : resembling(target);
}
