import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { isAffected, type Range } from '../matching/affected.js';
import { compareVersions } from '../matching/versions/index.js';
import type { AdvisoryOf } from './affected-packages.js';

/**
 * Where the affected versions begin that go without a gap up to `from`; null where all before it are affected. Between there and the
 * target any version can be brought in by a new parent, so an override has to reach all of them.
 */
export function startOfAffected(ecosystem: Ecosystem, from: string, advisories: readonly AdvisoryOf[]): string | null {
  let start = from;
  for (;;) {
    const ranges = advisories.flatMap(({ affected }) => affected.ranges);
    const around = ranges.filter((range) => isAffected(ecosystem, start, { ranges: [range], versions: [] }));
    const starts = around.map((range) => introducedBefore(ecosystem, start, range));
    if (starts.includes(null)) return null;
    const lowest = starts.reduce<string>(
      (low, each) => (each !== null && isBelow(ecosystem, each, low) ? each : low),
      start,
    );
    if (lowest === start) return start;
    start = lowest;
  }
}

/** Begins of ranges that are looked at. A package has one or two as a rule, and some have hundreds. */
const maxBegins = 24;

/** The first versions of each run of affected ones; null where they are too many. */
export function affectedBeginnings(ecosystem: Ecosystem, advisories: readonly AdvisoryOf[]): string[] | null {
  const events = advisories.flatMap(({ affected }) => affected.ranges.flatMap((range) => range.events));
  const begins = new Set(events.flatMap((event) => ('introduced' in event ? [event.introduced] : [])));
  if (begins.size > maxBegins) return null;
  const listed = advisories.flatMap(({ affected }) => affected.versions);
  const first = [...begins].map((begin) => (begin === '0' ? '0.0.0' : begin));
  return [...first, ...listed.slice(0, maxBegins)].filter((version) =>
    advisories.some(({ affected }) => isAffected(ecosystem, version, affected)),
  );
}

/** The last `introduced` at or below the version; null where that is the beginning. */
function introducedBefore(ecosystem: Ecosystem, version: string, { events }: Range): string | null {
  let last: string | null = null;
  for (const event of events) {
    if (!('introduced' in event) || event.introduced === '0' || isBelow(ecosystem, version, event.introduced)) continue;
    if (last === null || isBelow(ecosystem, last, event.introduced)) last = event.introduced;
  }
  return last;
}

function isBelow(ecosystem: Ecosystem, a: string, b: string): boolean {
  return (compareVersions(ecosystem, a, b) ?? 0) < 0;
}
