import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { findingSeverities } from '../../shared/vulnerability-terms.js';
import { factsHash } from './facts-hash.js';
import { isLeftOut } from './filter.js';
import type { FindingRow } from './finding-row.js';
import { seersOf } from './last-reports.js';
import type { Level } from './level.js';
import type { ReportedFinding, Scan, ScanResult, Seer } from './scan.js';
import { toolsOf } from './scan-job.js';
import {
  held,
  isSameSeer,
  type Sighting,
  saySame,
  seerKey,
  stateOf,
  toolsSeeing,
  withoutReport,
  withReport,
} from './sightings.js';

type KnownColumn =
  | 'id'
  | 'tool'
  | 'identity'
  | 'state'
  | 'modes'
  | 'part'
  | 'sightings'
  | 'facts_hash'
  | 'last_seen_at';

/** A finding in the database. Its times include the reports that have confirmed it. */
export type KnownFinding = Pick<FindingRow, KnownColumn> & {
  /** Read only for a scan with filters; the level in the words of its tool. */
  readonly rule_id?: string;
  readonly level?: Level;
};

/** A finding of a report, with all who report it. */
export interface DistinctFinding {
  readonly finding: ReportedFinding;
  readonly seers: readonly { readonly seer: Seer; readonly suppressed: boolean }[];
}

interface NewFinding extends DistinctFinding {
  readonly sightings: readonly Sighting[];
}

/** A known finding of which a scan says something new: other facts, or that it is gone for a tool. */
export interface ChangedFinding {
  readonly id: string;
  /** What is in the database. */
  readonly before: KnownFinding;
  /** Other rows of the same finding, now known to be one. They are deleted. */
  readonly duplicates: readonly string[];
  readonly finding: ReportedFinding | null;
  readonly sightings: readonly Sighting[];
  readonly state: FindingRow['state'];
  /** Its facts come from these tools together; empty where those of the row or of the report alone are right. */
  readonly jointOf: readonly string[];
  /** Nothing but facts can differ. */
  readonly isSame: boolean;
}

export interface ScanChanges {
  readonly added: readonly NewFinding[];
  readonly changed: readonly ChangedFinding[];
  /** Each reported finding is counted once: as new, reopened, unchanged or suppressed. `total` is their sum. */
  readonly counts: ScanResult['findings'];
  /** Open findings that the scan does not report and its tools saw, though it has not searched for them. */
  readonly kept: number;
  /** Those of `kept` that a filter may have left out, which the report does not mention. */
  readonly below: number;
}

/**
 * Each finding once. Where a report has the same one several times, an unsuppressed one is kept before a suppressed one, since
 * one place that was not accepted keeps the finding open. Then the worst one is kept.
 */
export async function distinctFindings(findings: readonly ReportedFinding[]): Promise<DistinctFinding[]> {
  const yieldNow = yieldToEventLoop();
  const distinct = new Map<string, DistinctFinding>();
  for (const finding of findings) {
    await yieldNow();
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
export async function scanChanges(
  known: readonly KnownFinding[],
  reported: readonly DistinctFinding[],
  { searched, mode, join, findings, filters = [] }: Pick<Scan, 'searched' | 'mode' | 'join' | 'findings' | 'filters'>,
  now: Date,
): Promise<ScanChanges> {
  const yieldNow = yieldToEventLoop();
  const shared = join !== undefined;
  const reporting = new Set(seersOf({ searched, findings }).map(seerKey));
  const remaining = new Map(known.map((finding) => [keyOf(finding), finding]));
  await yieldNow();
  const matched = await matchesOf(reported, remaining);
  const added: NewFinding[] = [];
  const changed: ChangedFinding[] = [];
  const counts = { total: reported.length, new: 0, reopened: 0, fixed: 0, unchanged: 0, suppressed: 0 };
  for (const [at, { finding, seers }] of reported.entries()) {
    await yieldNow();
    const rows = matched[at] ?? [];
    const before = rows.find(({ state }) => state === 'open') ?? rows[0];
    const seen = { part: finding.part ?? '', sightings: rows.flatMap((row) => row.sightings), shared };
    const silent = reporting.size === 1 ? noSeers : without(reporting, seers);
    const sightings = held(withReport(seen, searched, seers, now), silent);
    const state = stateOf(sightings);
    counts[outcomeOf(before, state)] += 1;
    if (before === undefined) added.push({ finding, seers, sightings });
    else {
      const seeing = shared ? toolsSeeing(sightings) : [];
      const duplicates = rows.flatMap(({ id }) => (id === before.id ? [] : [id]));
      const jointOf = seeing.length > 1 ? seeing : [];
      const isSame =
        state === before.state &&
        duplicates.length === 0 &&
        (mode === null || before.modes.includes(mode)) &&
        saySame(before.sightings, sightings);
      // The facts of several tools are joined before they can be compared.
      const isKnown = isSame && jointOf.length === 0 && before.facts_hash?.equals(factsHash(finding)) === true;
      if (!isKnown) changed.push({ id: before.id, before, duplicates, finding, sightings, state, jointOf, isSame });
    }
  }
  const tools = new Set(toolsOf({ searched, findings }));
  let [kept, below] = [0, 0];
  for (const row of remaining.values()) {
    await yieldNow();
    if (row.state === 'fixed') continue;
    const isOfMode = mode === null || row.modes.includes(mode);
    const without = isOfMode ? withoutReport(row, searched, shared) : row.sightings;
    const filter = filters.find(({ tool }) => shared || tool === row.tool);
    const isKept = without !== row.sightings && filter !== undefined && isLeftOut(row, filter);
    const sightings = held(isKept ? row.sightings : without, reporting);
    if (row.state === 'open' && toolsSeeing(sightings).some((tool) => tools.has(tool))) {
      kept += 1;
      if (isKept) below += 1;
    }
    if (sightings === row.sightings) continue;
    const state = stateOf(sightings);
    if (state === 'fixed') counts.fixed += 1;
    const [before, after] = [toolsSeeing(row.sightings), toolsSeeing(sightings)];
    const jointOf = shared && after.length > 0 && after.length < before.length ? after : [];
    changed.push({ id: row.id, before: row, duplicates: [], finding: null, sightings, state, jointOf, isSame: false });
  }
  return { added, changed, counts, kept, below };
}

/**
 * The known rows of each reported finding, which are taken out of `remaining`. The identity itself comes before the other
 * identities of any finding.
 */
async function matchesOf(
  reported: readonly DistinctFinding[],
  remaining: Map<string, KnownFinding>,
): Promise<KnownFinding[][]> {
  const yieldNow = yieldToEventLoop();
  const take = (key: string) => {
    const row = remaining.get(key);
    remaining.delete(key);
    return row === undefined ? [] : [row];
  };
  const matches: KnownFinding[][] = [];
  for (const { finding } of reported) {
    await yieldNow();
    matches.push(take(keyOf(finding)));
  }
  for (const [at, { finding }] of reported.entries()) {
    await yieldNow();
    for (const identity of finding.otherIdentities ?? []) matches[at]?.push(...take(keyOf({ ...finding, identity })));
  }
  return matches;
}

const noSeers: ReadonlySet<string> = new Set();

function without(reporting: ReadonlySet<string>, seers: DistinctFinding['seers']): ReadonlySet<string> {
  const own = new Set(seers.map(({ seer }) => seerKey(seer)));
  return new Set([...reporting].filter((key) => !own.has(key)));
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
