import type { SafeVersionStatus } from '../../procedures/vulnerability.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { isVersion } from '../../shared/text/grammars.js';
import { type Affected, isAffected } from './affected.js';
import { isOneRelease, withOrdering } from './versions/index.js';
import type { Ordering } from './versions/ordering.js';

/** What is known of the versions of one package that were published. */
export interface PublishedVersions {
  /** Some of them: in stacks of the organisation, as a registry answered, or in the `versions` of advisories that do not count. */
  readonly seen: readonly string[];
  /** All of them, as its registry lists them; null where that is not known. */
  readonly registry: readonly string[] | null;
}

export interface SafeVersion {
  readonly version: string;
  readonly status: SafeVersionStatus;
}

/**
 * The version to propose: the nearest one that no entry affects, if it was published as far as we can know. One that its
 * registry does not have is replaced by the next one there that no entry affects. Null where no such version is known.
 */
export function safeVersion(
  ecosystem: Ecosystem,
  version: string,
  entries: readonly Affected[],
  { seen, registry }: PublishedVersions,
): SafeVersion | null {
  const nearest = nearestSafeVersion(ecosystem, version, entries);
  if (nearest === null) return null;
  const status = publicationOf(ecosystem, nearest, { seen, registry });
  if (status !== 'denied') return { version: nearest, status };
  const isSafe = (candidate: string) => !entries.some((entry) => isAffected(ecosystem, candidate, entry));
  return withOrdering(ecosystem, (ordering) => {
    const least = ordering.parse(nearest);
    if (least === null) return null;
    const candidates = parsedOf(ordering, [...seen, ...(registry ?? [])]).filter(
      ({ parsed }) => ordering.compare(parsed, least) > 0,
    );
    const next = preferReleases(ordering, ordering.parse(version), candidates).find(
      ({ text }) => isVersion(text) && isSafe(text),
    );
    return next === undefined ? null : { version: inStyleOf(ecosystem, version, next.text), status: 'published' };
  });
}

/** Whether a version was published. `denied`: its registry lists all versions, and this is none of them. */
export function publicationOf(
  ecosystem: Ecosystem,
  version: string,
  { seen, registry }: PublishedVersions,
): SafeVersionStatus | 'denied' {
  const known = [...seen, ...(registry ?? [])];
  const isKnown =
    known.includes(version) ||
    withOrdering(ecosystem, (ordering) => {
      const asked = ordering.parse(version);
      return asked !== null && parsedOf(ordering, known).some(({ parsed }) => ordering.compare(parsed, asked) === 0);
    });
  if (isKnown) return 'published';
  return registry === null ? 'unverified' : 'denied';
}

/**
 * The lowest version at or above the installed one that no entry affects, published or not. That is the installed version
 * itself where nothing affects it; null where no such version is known.
 *
 * `entries` are those of all advisories of the package that are not withdrawn. Only versions that an advisory names as
 * `fixed` are candidates (`last_affected` and `limit` name no fix). Each is checked against all entries, so that the fix of
 * one advisory is not affected by another, and what has not the grammar of a version is none. A pre-release is chosen
 * only if the installed version is one, or as last resort.
 */
export function nearestSafeVersion(ecosystem: Ecosystem, version: string, entries: readonly Affected[]): string | null {
  const isSafe = (candidate: string) => !entries.some((entry) => isAffected(ecosystem, candidate, entry));
  return withOrdering(ecosystem, (ordering) => {
    const installed = ordering.parse(version);
    if (installed === null) return null;
    if (isSafe(version)) return isVersion(version) && isOneRelease(ecosystem, version) ? version : null;
    const candidates = parsedOf(ordering, fixedVersions(entries)).filter(
      ({ parsed }) => ordering.compare(parsed, installed) > 0,
    );
    const safe = preferReleases(ordering, installed, candidates).find(
      ({ text }) => isVersion(text) && isSafe(text) && isOneRelease(ecosystem, text),
    );
    return safe === undefined ? null : inStyleOf(ecosystem, version, safe.text);
  });
}

interface Candidate<Parsed> {
  readonly text: string;
  readonly parsed: Parsed;
}

function parsedOf<Parsed>(ordering: Ordering<Parsed>, texts: readonly string[]): Candidate<Parsed>[] {
  return texts.flatMap((text) => {
    const parsed = ordering.parse(text);
    return parsed === null ? [] : [{ text, parsed }];
  });
}

/** Lowest first; pre-releases after all releases, unless a pre-release is installed. */
function preferReleases<Parsed>(
  ordering: Ordering<Parsed>,
  installed: Parsed | null,
  candidates: readonly Candidate<Parsed>[],
): Candidate<Parsed>[] {
  const sorted = candidates.toSorted((a, b) => ordering.compare(a.parsed, b.parsed));
  if (installed !== null && ordering.isPrerelease(installed)) return sorted;
  return [...sorted.filter(({ parsed }) => !ordering.isPrerelease(parsed)), ...sorted];
}

function fixedVersions(entries: readonly Affected[]): string[] {
  const events = entries.flatMap((entry) => entry.ranges.flatMap((range) => range.events));
  return [...new Set(events.flatMap((event) => ('fixed' in event ? [event.fixed] : [])))];
}

/** OSV leaves out the `v` of Go versions, go.mod and the proxy do not. With it the answer works in `go get module@version`. */
function inStyleOf(ecosystem: Ecosystem, installed: string, version: string): string {
  if (ecosystem !== 'Go') return version;
  const bare = version.replace(/^v/, '');
  return installed.startsWith('v') ? `v${bare}` : bare;
}
