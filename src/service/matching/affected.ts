import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { withOrdering } from './versions/index.js';
import type { Ordering } from './versions/ordering.js';
import { withoutLocalLabel } from './versions/pypi.js';

/** One OSV `affected` entry, reduced to what matching needs (OSV schema 1.x, section "affected"). */
export interface Affected {
  ranges: Range[];
  versions: string[];
}

/** GIT ranges are dropped when a record is read, because lock files name versions and not commits. */
export interface Range {
  type: 'SEMVER' | 'ECOSYSTEM';
  events: RangeEvent[];
}

export type RangeEvent = { introduced: string } | { fixed: string } | { last_affected: string } | { limit: string };

/** What OSV writes for "before every version". */
const beginning = '0';

/**
 * Whether the version is affected, by the OSV schema's evaluation algorithm
 * (https://ossf.github.io/osv-schema/#evaluation): equal to one of `versions` in the ecosystem's ordering, or inside one of
 * the ranges. A version that cannot be compared is affected only where `versions` has exactly the same text, or where a
 * range has every version: of the others nobody can tell.
 */
export function isAffected(ecosystem: Ecosystem, version: string, affected: Affected): boolean {
  if (affected.versions.includes(version)) return true;
  return withOrdering(ecosystem, (ordering) => {
    const installed = readInstalled(ecosystem, ordering, version);
    if (installed === null) return affected.ranges.some(hasEveryVersion);
    const isListed = (listed: string) => {
      const parsed = ordering.parse(listed);
      return parsed !== null && ordering.compare(installed.release, parsed) === 0;
    };
    return affected.versions.some(isListed) || affected.ranges.some((range) => isInRange(ordering, installed, range));
  });
}

function hasEveryVersion({ events }: Range): boolean {
  const begins = events.some((event) => 'introduced' in event && event.introduced === beginning);
  return begins && events.every((event) => 'introduced' in event || ('limit' in event && event.limit === '*'));
}

/**
 * The installed version, and the release it was built from. PEP 440 compares an installed `2.0.1+cu118` with a bound that
 * has no local label as if it were `2.0.1` ("Version matching", "Inclusive ordered comparison"). A local build of a
 * vulnerable release is as vulnerable as the release, although its version sorts higher.
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

/** One end of a range, with its version parsed. */
interface Bound<Parsed> {
  readonly kind: 'introduced' | 'fixed' | 'last_affected' | 'limit';
  /** Null where it is below or above every version: "0", "*", or a text that begins with no number. */
  readonly at: Parsed | null;
  /** The text did not parse, and `at` is the release it begins with. A range that ends here includes that release. */
  readonly rough: boolean;
  readonly local: boolean;
}

const leadingRelease = /^\d+(?:\.\d+)*/;

/**
 * Reads a bound. Some records hold a distribution's version instead of the registry's (`fixed: 0.8.3ubuntu7.5` on PyPI).
 * Such a bound is read as the release it begins with. That release counts as affected: it is the first one of the range, or
 * the last one.
 */
function readBound<Parsed>(ordering: Ordering<Parsed>, event: RangeEvent): Bound<Parsed> {
  const [kind, text] = kindAndText(event);
  const exact = text === beginning ? null : ordering.parse(text);
  const start = exact === null && text !== beginning ? leadingRelease.exec(text)?.[0] : undefined;
  const rough = start === undefined ? null : ordering.parse(start);
  return { kind, at: exact ?? rough, rough: rough !== null, local: text.includes('+') };
}

function kindAndText(event: RangeEvent): [kind: Bound<unknown>['kind'], text: string] {
  if ('introduced' in event) return ['introduced', event.introduced];
  if ('fixed' in event) return ['fixed', event.fixed];
  return 'last_affected' in event ? ['last_affected', event.last_affected] : ['limit', event.limit];
}

function isInRange<Parsed>(ordering: Ordering<Parsed>, installed: Installed<Parsed>, range: Range): boolean {
  const bounds = range.events.map((event) => readBound(ordering, event));
  const isPast = ({ kind, at, rough, local }: Bound<Parsed>) => {
    if (at === null) return kind === 'introduced';
    const order = ordering.compare(local ? installed.version : installed.release, at);
    return kind === 'last_affected' || (rough && kind !== 'introduced') ? order > 0 : order >= 0;
  };
  // A version below any of the limits is inside. No limit means the limit "*", which is above every version.
  const limits = bounds.filter(({ kind }) => kind === 'limit');
  if (limits.length > 0 && limits.every(isPast)) return false;
  let affected = false;
  for (const bound of sortByVersion(ordering, bounds)) {
    if (bound.kind !== 'limit' && isPast(bound)) affected = bound.kind === 'introduced';
  }
  return affected;
}

/** Bounds at equal versions keep their order. Bounds below every version come first. */
function sortByVersion<Parsed>(ordering: Ordering<Parsed>, bounds: readonly Bound<Parsed>[]): Bound<Parsed>[] {
  return bounds.toSorted((a, b) => {
    if (a.at === null || b.at === null) return Number(a.at !== null) - Number(b.at !== null);
    return ordering.compare(a.at, b.at);
  });
}

/** `< 1.2.3` or `<= 1.2.3`, as GHSA writes it. */
const lastKnownShape = /^\s*(<=?)\s*(\S+)\s*$/;

/**
 * Closes the open-ended ranges of a GHSA entry with its `database_specific.last_known_affected_version_range`.
 *
 * GHSA stores an upper bound there that its OSV export cannot express otherwise. Where no fix is known, the range itself
 * has only `introduced` and would include every later version (github/advisory-database issue 470, google/osv.dev issue
 * 474). `<` becomes a `limit` and not a `fixed`, because the bound does not say that this version holds a fix. Ranges that
 * already end keep their end: OSV's evaluation does not know the extra bound, and missing a vulnerable version is worse
 * than reporting one too many.
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
