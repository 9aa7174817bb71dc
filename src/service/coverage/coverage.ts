import { type Coverage, type CoverageStatus, maxGapLength, maxGaps } from '../../procedures/coverage.js';
import { type Domain, domains } from '../../procedures/risk.js';
import { clip } from '../../shared/text/clip.js';
import { compareText } from '../../shared/text/compare-text.js';

/**
 * A coverage with its status. `affected` where any domain is; `not_affected` only where every domain that was searched says
 * so, every feed is there and fresh, the name is known, and there is no gap; else `unknown`.
 */
export function toCoverage(parts: Omit<Coverage, 'status'>): Coverage {
  const byDomain = parts.domains.toSorted((a, b) => domains.indexOf(a.domain) - domains.indexOf(b.domain));
  return {
    status: statusOf(parts),
    domains: byDomain,
    feeds: parts.feeds.toSorted((a, b) => compareText(a.ecosystem, b.ecosystem)),
    known: parts.known,
    gaps: boundedGaps(parts.gaps),
  };
}

/** The coverage of an answer from one domain, which has the status of the whole. */
export function coverageOfDomain(
  domain: Domain,
  isAffected: boolean,
  parts: Omit<Coverage, 'status' | 'domains'>,
): Coverage {
  const { status, ...rest } = toCoverage({
    ...parts,
    domains: [{ domain, status: isAffected ? 'affected' : 'not_affected' }],
  });
  return { ...rest, status, domains: [{ domain, status }] };
}

function statusOf({ domains, feeds, known, gaps }: Omit<Coverage, 'status'>): CoverageStatus {
  if (domains.some(({ status }) => status === 'affected')) return 'affected';
  const isSearched = domains.length > 0 && domains.every(({ status }) => status === 'not_affected');
  const isFresh = feeds.every(({ as_of, stale }) => as_of !== null && !stale);
  const asksFeeds = domains.some(({ domain }) => domain === 'dependencies');
  if (asksFeeds && feeds.length === 0) return 'unknown';
  return isSearched && isFresh && known && gaps.length === 0 ? 'not_affected' : 'unknown';
}

/** Without repetitions. Where there are too many, the last one counts those left out. */
function boundedGaps(gaps: readonly string[]): string[] {
  const all = [...new Set(gaps.map((gap) => clip(gap, maxGapLength)))];
  if (all.length <= maxGaps) return all;
  const shown = all.slice(0, maxGaps - 1);
  return [...shown, `and ${all.length - shown.length} more`];
}
