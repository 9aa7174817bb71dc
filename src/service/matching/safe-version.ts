import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { type Affected, isAffected } from './affected.js';
import { withOrdering } from './versions/index.js';

/**
 * The lowest version at or above the installed one that no entry affects. That is the installed version itself where
 * nothing affects it; null where no such version is known.
 *
 * `entries` are those of all advisories of the package that are not withdrawn. Only versions that an advisory names as
 * `fixed` are candidates (`last_affected` and `limit` name no fix). Each is checked against all entries, so that the fix of
 * one advisory is not affected by another. A pre-release is chosen only if the installed version is one, or as last resort.
 */
export function nearestSafeVersion(ecosystem: Ecosystem, version: string, entries: readonly Affected[]): string | null {
  const isSafe = (candidate: string) => !entries.some((entry) => isAffected(ecosystem, candidate, entry));
  return withOrdering(ecosystem, (ordering) => {
    const installed = ordering.parse(version);
    if (installed === null) return null;
    if (isSafe(version)) return version;
    const candidates = fixedVersions(entries)
      .flatMap((text) => {
        const parsed = ordering.parse(text);
        return parsed === null || ordering.compare(parsed, installed) <= 0 ? [] : [{ text, parsed }];
      })
      .sort((a, b) => ordering.compare(a.parsed, b.parsed));
    const releases = candidates.filter(({ parsed }) => !ordering.isPrerelease(parsed));
    const preferred = ordering.isPrerelease(installed) ? candidates : [...releases, ...candidates];
    const safe = preferred.find(({ text }) => isSafe(text));
    return safe === undefined ? null : inStyleOf(ecosystem, version, safe.text);
  });
}

function fixedVersions(entries: readonly Affected[]): string[] {
  const events = entries.flatMap((entry) => entry.ranges.flatMap((range) => range.events));
  return [...new Set(events.flatMap((event) => ('fixed' in event ? [event.fixed] : [])))];
}

/** OSV leaves out the `v` of Go versions, go.mod does not. With it the answer works in `go get module@version`. */
function inStyleOf(ecosystem: Ecosystem, installed: string, version: string): string {
  return ecosystem === 'Go' && installed.startsWith('v') && !version.startsWith('v') ? `v${version}` : version;
}
