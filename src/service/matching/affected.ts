import { type Ecosystem, withOrdering } from './versions/index.js';
import type { Ordering } from './versions/ordering.js';
import { withoutLocalLabel } from './versions/pypi.js';

/** One OSV `affected` entry, reduced to what matching needs (OSV schema 1.x, section "affected"). */
export interface Affected {
  ranges: Range[];
  versions: string[];
}

/** GIT ranges are dropped when a record is read: lock files name versions, not commits. */
export interface Range {
  type: 'SEMVER' | 'ECOSYSTEM';
  events: RangeEvent[];
}

export type RangeEvent = { introduced: string } | { fixed: string } | { last_affected: string } | { limit: string };

/** What OSV writes for "before every version". */
const beginning = '0';

/**
 * Whether the version is affected, by the OSV schema's evaluation algorithm
 * (https://ossf.github.io/osv-schema/#evaluation): listed in `versions` (equal in the ecosystem's ordering), or inside one
 * of the ranges. A version that does not parse is affected only where `versions` spells it exactly. A bound that does not
 * parse is taken to the wide side: an unreadable `introduced` counts from the start, an unreadable end does not end.
 */
export function isAffected(ecosystem: Ecosystem, version: string, affected: Affected): boolean {
  if (affected.versions.includes(version)) return true;
  return withOrdering(ecosystem, (ordering) => {
    const installed = readInstalled(ecosystem, ordering, version);
    return (
      installed !== null &&
      (affected.versions.some((listed) => orderTo(ordering, installed, listed) === 0) ||
        affected.ranges.some((range) => isInRange(ordering, installed, range)))
    );
  });
}

/**
 * The installed version, and the release it was built from. PEP 440 compares an installed `2.0.1+cu118` with a bound that
 * has no local label as if it were `2.0.1` ("Version matching", "Inclusive ordered comparison"): a local build of a
 * vulnerable release is as vulnerable as the release, although the version itself sorts above it.
 */
interface Installed<Parsed> {
  readonly version: Parsed;
  readonly release: Parsed;
}

function readInstalled<Parsed>(
  ecosystem: Ecosystem,
  ordering: Ordering<Parsed>,
  text: string,
): Installed<Parsed> | null {
  const version = ordering.parse(text);
  if (version === null) return null;
  const release = ecosystem === 'PyPI' ? ordering.parse(withoutLocalLabel(text)) : null;
  return { version, release: release ?? version };
}

/** The order of the installed version to a bound; null where the bound is no version. */
function orderTo<Parsed>(ordering: Ordering<Parsed>, installed: Installed<Parsed>, bound: string): number | null {
  const parsed = ordering.parse(bound);
  return parsed && ordering.compare(bound.includes('+') ? installed.version : installed.release, parsed);
}

function isInRange<Parsed>(ordering: Ordering<Parsed>, installed: Installed<Parsed>, range: Range): boolean {
  if (!isBeforeLimits(ordering, installed, range)) return false;
  let affected = false;
  for (const event of sortByVersion(ordering, range.events)) {
    const order = orderTo(ordering, installed, boundOf(event));
    if ('introduced' in event) {
      if (event.introduced === beginning || order === null || order >= 0) affected = true;
    } else if (order !== null && ('fixed' in event ? order >= 0 : 'last_affected' in event && order > 0)) {
      affected = false;
    }
  }
  return affected;
}

/** Before any one of the limits is enough; no limit is the limit "*", which nothing reaches. */
function isBeforeLimits<Parsed>(ordering: Ordering<Parsed>, installed: Installed<Parsed>, range: Range): boolean {
  const limits = range.events.flatMap((event) => ('limit' in event ? [event.limit] : []));
  return limits.length === 0 || limits.some((limit) => (orderTo(ordering, installed, limit) ?? -1) < 0);
}

function boundOf(event: RangeEvent): string {
  if ('introduced' in event) return event.introduced;
  if ('fixed' in event) return event.fixed;
  return 'last_affected' in event ? event.last_affected : event.limit;
}

/** Events of equal versions stay as listed; "0" and unreadable bounds come first. */
function sortByVersion<Parsed>(ordering: Ordering<Parsed>, events: readonly RangeEvent[]): RangeEvent[] {
  const read = events.map((event) => {
    const bound = boundOf(event);
    return { event, at: bound === beginning ? null : ordering.parse(bound) };
  });
  read.sort((a, b) => {
    if (a.at === null || b.at === null) return Number(a.at !== null) - Number(b.at !== null);
    return ordering.compare(a.at, b.at);
  });
  return read.map(({ event }) => event);
}

/** `< 1.2.3` or `<= 1.2.3`, as GHSA writes it. */
const lastKnownShape = /^\s*(<=?)\s*(\S+)\s*$/;

/**
 * Closes the open-ended ranges of a GHSA entry with its `database_specific.last_known_affected_version_range`.
 *
 * GHSA keeps there the upper bound that its OSV export cannot express otherwise; where no fix is known, the range itself
 * ends with `introduced` and would take in every later version (github/advisory-database issue 470, google/osv.dev issue
 * 474). `<` becomes a `limit`, not a `fixed`: nobody said that this version holds a fix. Ranges that have an end of their
 * own stay as they are: OSV's evaluation knows nothing of the extra bound, and to miss a version is worse than to name one
 * too many.
 */
export function withLastKnown(affected: Affected, text: string): Affected {
  const [, operator, bound] = lastKnownShape.exec(text) ?? [];
  if (bound === undefined) return affected;
  const end: RangeEvent = operator === '<' ? { limit: bound } : { last_affected: bound };
  const ranges = affected.ranges.map((range) =>
    range.events.every((event) => 'introduced' in event) ? { ...range, events: [...range.events, end] } : range,
  );
  return { ...affected, ranges };
}
