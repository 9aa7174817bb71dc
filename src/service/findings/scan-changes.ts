import { findingSeverities } from '../../shared/vulnerability-terms.js';
import type { FindingRow } from './finding-row.js';
import type { ReportedFinding, Scan, ScanResult, Seer } from './scan.js';
import { toolsOf } from './scan-job.js';
import { isSameSeer, type Sighting, stateOf, toolsSeeing, withoutReport, withReport } from './sightings.js';

/** A finding in the database. */
export type KnownFinding = Pick<FindingRow, 'id' | 'tool' | 'identity' | 'state' | 'modes' | 'part' | 'sightings'>;

/** A finding of a report, with all who report it. */
export interface DistinctFinding {
  readonly finding: ReportedFinding;
  readonly seers: readonly { readonly seer: Seer; readonly suppressed: boolean }[];
}

interface NewFinding extends DistinctFinding {
  readonly sightings: readonly Sighting[];
}

/** A known finding that a scan reports, or has shown to be gone for a tool. */
export interface ChangedFinding {
  readonly id: string;
  /** Other rows of the same finding, now known to be one. They are deleted. */
  readonly duplicates: readonly string[];
  readonly finding: ReportedFinding | null;
  readonly sightings: readonly Sighting[];
  readonly state: FindingRow['state'];
  /** Its facts come from these tools together; empty where those of the row or of the report alone are right. */
  readonly jointOf: readonly string[];
}

export interface ScanChanges {
  readonly added: readonly NewFinding[];
  readonly changed: readonly ChangedFinding[];
  /** Each reported finding is counted once: as new, reopened, unchanged or suppressed. `total` is their sum. */
  readonly counts: ScanResult['findings'];
  /** Open findings that the scan does not report and its tools saw, though it has not searched for them. */
  readonly kept: number;
}

/**
 * Each finding once. Where a report has the same one several times, an unsuppressed one is kept before a suppressed one, since
 * one place that was not accepted keeps the finding open. Then the worst one is kept.
 */
export function distinctFindings(findings: readonly ReportedFinding[]): DistinctFinding[] {
  const distinct = new Map<string, DistinctFinding>();
  for (const finding of findings) {
    const key = keyOf(finding);
    const known = distinct.get(key);
    distinct.set(key, known === undefined ? { finding, seers: [finding] } : joined(known, finding));
  }
  return [...distinct.values()];
}

function joined({ finding, seers }: DistinctFinding, other: ReportedFinding): DistinctFinding {
  const others = seers.filter(({ seer }) => !isSameSeer(seer, other.seer));
  const same = seers.find(({ seer }) => isSameSeer(seer, other.seer));
  const own = { seer: other.seer, suppressed: other.suppressed && same?.suppressed !== false };
  return { finding: weightOf(other) > weightOf(finding) ? other : finding, seers: [...others, own] };
}

function weightOf({ suppressed, severity }: ReportedFinding): number {
  return (suppressed ? 0 : findingSeverities.length) - findingSeverities.indexOf(severity);
}

/**
 * The changes from the known findings of a scan's source to what the scan says. `reported` has each finding once.
 * A finding is fixed when each tool that saw it has searched there again, within the same limits or fewer, without finding
 * it. A scan with a mode only shows something about what a scan of its mode has reported before: a passive scan proves
 * nothing about what an active one found.
 */
export function scanChanges(
  known: readonly KnownFinding[],
  reported: readonly DistinctFinding[],
  { searched, mode, join, findings }: Pick<Scan, 'searched' | 'mode' | 'join' | 'findings'>,
  now: Date,
): ScanChanges {
  const shared = join !== undefined;
  const remaining = new Map(known.map((finding) => [keyOf(finding), finding]));
  const matched = matchesOf(reported, remaining);
  const added: NewFinding[] = [];
  const changed: ChangedFinding[] = [];
  const counts = { total: reported.length, new: 0, reopened: 0, fixed: 0, unchanged: 0, suppressed: 0 };
  for (const [at, { finding, seers }] of reported.entries()) {
    const rows = matched[at] ?? [];
    const before = rows.find(({ state }) => state === 'open') ?? rows[0];
    const seen = { part: finding.part ?? '', sightings: rows.flatMap((row) => row.sightings), shared };
    const sightings = withReport(seen, searched, seers, now);
    const state = stateOf(sightings);
    counts[outcomeOf(before, state)] += 1;
    if (before === undefined) added.push({ finding, seers, sightings });
    else {
      const seeing = shared ? toolsSeeing(sightings) : [];
      const duplicates = rows.flatMap(({ id }) => (id === before.id ? [] : [id]));
      changed.push({ id: before.id, duplicates, finding, sightings, state, jointOf: seeing.length > 1 ? seeing : [] });
    }
  }
  const tools = new Set(toolsOf({ searched, findings }));
  let kept = 0;
  for (const row of remaining.values()) {
    if (row.state === 'fixed') continue;
    const isOfMode = mode === null || row.modes.includes(mode);
    const sightings = isOfMode ? withoutReport(row, searched, shared) : row.sightings;
    if (row.state === 'open' && toolsSeeing(sightings).some((tool) => tools.has(tool))) kept += 1;
    if (sightings === row.sightings) continue;
    const state = stateOf(sightings);
    if (state === 'fixed') counts.fixed += 1;
    const [before, after] = [toolsSeeing(row.sightings), toolsSeeing(sightings)];
    const jointOf = shared && after.length > 0 && after.length < before.length ? after : [];
    changed.push({ id: row.id, duplicates: [], finding: null, sightings, state, jointOf });
  }
  return { added, changed, counts, kept };
}

/**
 * The known rows of each reported finding, which are taken out of `remaining`. The identity itself comes before the other
 * identities of any finding.
 */
function matchesOf(reported: readonly DistinctFinding[], remaining: Map<string, KnownFinding>): KnownFinding[][] {
  const take = (key: string) => {
    const row = remaining.get(key);
    remaining.delete(key);
    return row === undefined ? [] : [row];
  };
  const matches = reported.map(({ finding }) => take(keyOf(finding)));
  for (const [at, { finding }] of reported.entries()) {
    for (const identity of finding.otherIdentities ?? []) matches[at]?.push(...take(keyOf({ ...finding, identity })));
  }
  return matches;
}

/** A finding is reopened when it returns after a fix, and when it is no longer suppressed. */
function outcomeOf(
  before: KnownFinding | undefined,
  state: FindingRow['state'],
): 'new' | 'reopened' | 'unchanged' | 'suppressed' {
  if (state !== 'open') return 'suppressed';
  if (before === undefined) return 'new';
  return before.state === 'open' ? 'unchanged' : 'reopened';
}

function keyOf({ tool, identity }: Pick<ReportedFinding, 'tool' | 'identity'>): string {
  return `${identity.toString('base64')} ${tool}`;
}
