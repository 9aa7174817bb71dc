import { findingSeverities } from '../../shared/vulnerability-terms.js';
import type { FindingRow } from './finding-row.js';
import type { ReportedFinding, Scan, ScanResult } from './scan.js';

/** A finding in the database. */
export type KnownFinding = Pick<FindingRow, 'id' | 'tool' | 'identity' | 'state' | 'modes'>;

interface StillReported {
  readonly id: string;
  readonly finding: ReportedFinding;
}

export interface ScanChanges {
  readonly added: readonly ReportedFinding[];
  readonly stillReported: readonly StillReported[];
  /** Ids of findings that are no longer reported. */
  readonly fixed: readonly string[];
  /** Each reported finding is counted once: as new, reopened, unchanged or suppressed. `total` is their sum. */
  readonly counts: ScanResult['findings'];
}

/**
 * Each finding once. Where a report has the same one several times, an unsuppressed one is kept before a suppressed one, since
 * one place that was not accepted keeps the finding open. Then the worst one is kept.
 */
export function distinctFindings(findings: readonly ReportedFinding[]): ReportedFinding[] {
  const distinct = new Map<string, ReportedFinding>();
  for (const finding of findings) {
    const key = keyOf(finding);
    const known = distinct.get(key);
    if (known === undefined || weightOf(finding) > weightOf(known)) distinct.set(key, finding);
  }
  return [...distinct.values()];
}

function weightOf({ suppressed, severity }: ReportedFinding): number {
  return (suppressed ? 0 : findingSeverities.length) - findingSeverities.indexOf(severity);
}

/**
 * The changes from the known findings of a scan's source and tools to what the scan says. `reported` has each finding once.
 * A scan fixes what its tools no longer report, if a scan of its mode has reported it before: a passive scan proves nothing
 * about what an active one found.
 */
export function scanChanges(
  known: readonly KnownFinding[],
  reported: readonly ReportedFinding[],
  { tools, mode }: Pick<Scan, 'tools' | 'mode'>,
): ScanChanges {
  const remaining = new Map(known.map((finding) => [keyOf(finding), finding]));
  const added: ReportedFinding[] = [];
  const stillReported: StillReported[] = [];
  const counts = { total: reported.length, new: 0, reopened: 0, fixed: 0, unchanged: 0, suppressed: 0 };
  for (const finding of reported) {
    const key = keyOf(finding);
    const before = remaining.get(key);
    remaining.delete(key);
    counts[outcomeOf(before, finding)] += 1;
    if (before === undefined) added.push(finding);
    else stillReported.push({ id: before.id, finding });
  }
  const fixed = [...remaining.values()]
    .filter(({ state, tool }) => state !== 'fixed' && tools.includes(tool))
    .filter(({ modes }) => mode === null || modes.includes(mode))
    .map(({ id }) => id);
  return { added, stillReported, fixed, counts: { ...counts, fixed: fixed.length } };
}

/** A finding is reopened when it returns after a fix, and when it is no longer suppressed. */
function outcomeOf(
  before: KnownFinding | undefined,
  { suppressed }: ReportedFinding,
): 'new' | 'reopened' | 'unchanged' | 'suppressed' {
  if (suppressed) return 'suppressed';
  if (before === undefined) return 'new';
  return before.state === 'open' ? 'unchanged' : 'reopened';
}

function keyOf({ tool, identity }: Pick<ReportedFinding, 'tool' | 'identity'>): string {
  return `${identity.toString('base64')} ${tool}`;
}
