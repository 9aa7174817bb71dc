import { compareText } from '../../shared/text/compare-text.js';
import type { Searched, Seer } from './scan.js';

/** That a tool, within a scope, has reported a finding. */
export interface Sighting extends Seer {
  /**
   * When it was last uploaded, ISO 8601. Each later upload of the same seer confirms it without writing it here
   * (`last_reports`), unless the sighting is `gone` or `held`.
   */
  readonly at: string;
  /** The report marks the finding as accepted. */
  readonly suppressed?: true;
  /** A later search of the same has not found it. */
  readonly gone?: true;
  /** A later report of the seer has neither confirmed it nor searched there. */
  readonly held?: true;
}

/** When each seer last reported on a source; see `seerKey`. */
export type LastReports = ReadonlyMap<string, Date>;

export function seerKey({ tool, scope }: Seer): string {
  return JSON.stringify([tool, ...scope]);
}

/** The sightings with the times of what has confirmed them. */
export function withLastReports(sightings: readonly Sighting[], last: LastReports): Sighting[] {
  return sightings.map((sighting) => {
    const at = last.get(seerKey(sighting))?.toISOString();
    const isConfirmed = sighting.gone === undefined && sighting.held === undefined && at !== undefined;
    return isConfirmed && at > sighting.at ? { ...sighting, at } : sighting;
  });
}

/** Holds the sightings of seers whose report does not have the finding. The very same list where there are none. */
export function held(sightings: readonly Sighting[], silent: ReadonlySet<string>): readonly Sighting[] {
  const isHeld = (sighting: Sighting) =>
    sighting.gone === undefined && sighting.held === undefined && silent.has(seerKey(sighting));
  if (!sightings.some(isHeld)) return sightings;
  return sightings.map((sighting) => (isHeld(sighting) ? { ...sighting, held: true } : sighting));
}

/** Whether two lists say the same, but for times that need not be written. */
export function saySame(one: readonly Sighting[], other: readonly Sighting[]): boolean {
  return one.length === other.length && textOf(one) === textOf(other);
}

function textOf(sightings: readonly Sighting[]): string {
  const texts = sightings.map(({ tool, scope, suppressed, gone, held: isHeld, at }) =>
    JSON.stringify([tool, scope, suppressed, gone, isHeld, gone === undefined && isHeld === undefined ? '' : at]),
  );
  return texts.sort().join('\n');
}

/** Sightings that a finding keeps: real ones have one for each scanner. */
const maxSightings = 16;

/** A finding as far as scans that do not report it need it. */
interface Seen {
  readonly tool: string;
  readonly part: string;
  readonly sightings: readonly Sighting[];
}

/** Whether a search within the first scope looks at everything that one within the second looks at. */
export function includes(wide: readonly string[], narrow: readonly string[]): boolean {
  return wide.every((limit) => narrow.includes(limit));
}

/** Whether a search would have found what was seen so, if it were still there. */
function covers({ tool, scope, parts }: Searched, part: string, sighting: Seer): boolean {
  const isWithin = sighting.scope.length === 0 || includes(scope, sighting.scope);
  return tool === sighting.tool && (parts === null || parts.includes(part)) && isWithin;
}

export function isSameSeer(one: Seer, other: Seer): boolean {
  return one.tool === other.tool && one.scope.length === other.scope.length && includes(one.scope, other.scope);
}

/** The sightings after a scan that does not report the finding. The very same list where the scan shows nothing about it. */
export function withoutReport(seen: Seen, searched: readonly Searched[], shared: boolean): readonly Sighting[] {
  const { part, sightings } = seen;
  if (sightings.length === 0) return unattributed(seen, searched, shared);
  const isGone = (sighting: Sighting) =>
    sighting.gone === undefined && searched.some((each) => covers(each, part, sighting));
  if (!sightings.some(isGone)) return sightings;
  return sightings.map((sighting) => (isGone(sighting) ? { ...sighting, gone: true } : sighting));
}

/** A finding of an earlier version does not say who saw it. Every search of its part by its tool counts. */
function unattributed({ tool, part, sightings }: Seen, searched: readonly Searched[], shared: boolean) {
  const [by] = searched.filter(
    (each) => (shared || each.tool === tool) && (each.parts === null || each.parts.includes(part)),
  );
  return by === undefined
    ? sightings
    : [{ tool: by.tool, scope: by.scope, at: new Date(0).toISOString(), gone: true as const }];
}

/**
 * The sightings after a scan in which these seers report the finding. Where a finding is one tool's own (`shared` is false),
 * only the last report counts: if its scope is another one, the tool's place has moved.
 */
export function withReport(
  { part, sightings, shared }: Pick<Seen, 'part' | 'sightings'> & { readonly shared: boolean },
  searched: readonly Searched[],
  seers: readonly { readonly seer: Seer; readonly suppressed: boolean }[],
  now: Date,
): Sighting[] {
  const isOf = (seer: Seer) => seers.some((each) => isSameSeer(each.seer, seer));
  const silent = searched.filter((each) => !isOf(each));
  const others = (shared ? sightings : [])
    .filter((sighting) => !isOf(sighting))
    .map((sighting) =>
      silent.some((each) => covers(each, part, sighting)) ? { ...sighting, gone: true as const } : sighting,
    );
  const own = seers.map(({ seer: { tool, scope }, suppressed }) => {
    const sighting: Sighting = { tool, scope, at: now.toISOString() };
    return suppressed ? { ...sighting, suppressed: true as const } : sighting;
  });
  return bounded([...own, ...others]);
}

/** The newest ones. Those that are gone leave first. */
function bounded(sightings: Sighting[]): Sighting[] {
  if (sightings.length <= maxSightings) return sightings;
  return sightings
    .toSorted((a, b) => Number(a.gone ?? false) - Number(b.gone ?? false) || b.at.localeCompare(a.at))
    .slice(0, maxSightings);
}

/** Open while anybody sees the finding and does not accept it. */
export function stateOf(sightings: readonly Sighting[]): 'open' | 'suppressed' | 'fixed' {
  const live = sightings.filter(({ gone }) => gone === undefined);
  if (live.length === 0) return 'fixed';
  return live.some(({ suppressed }) => suppressed === undefined) ? 'open' : 'suppressed';
}

/** Names of the tools that see the finding now, sorted. */
export function toolsSeeing(sightings: readonly Sighting[]): string[] {
  const live = sightings.filter(({ gone }) => gone === undefined);
  return live.length === 1 ? live.map(({ tool }) => tool) : [...new Set(live.map(({ tool }) => tool))].sort();
}

/** The tools that see the finding and when each last did; of a fixed one, those that saw it last. */
export function seenBy(sightings: readonly Sighting[]): { tool: string; last_seen_at: Date }[] {
  const live = sightings.filter(({ gone }) => gone === undefined);
  const newest = new Map<string, string>();
  for (const { tool, at } of live.length === 0 ? sightings : live) {
    const known = newest.get(tool);
    if (known === undefined || at > known) newest.set(tool, at);
  }
  return [...newest].sort(([a], [b]) => compareText(a, b)).map(([tool, at]) => ({ tool, last_seen_at: new Date(at) }));
}
