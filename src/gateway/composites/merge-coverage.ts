import type { Coverage } from '../../procedures/coverage.js';
import type { UnavailableReason } from '../../procedures/posture.js';
import { type Domain, domains } from '../../procedures/risk.js';
import { compareText } from '../../shared/text/compare-text.js';
import { cutClean } from './worst-of.js';

interface CoveredDomains {
  readonly answers: readonly { readonly coverage: Coverage }[];
  readonly unavailable: readonly { readonly domain: Domain; readonly reason: UnavailableReason }[];
}

/** Feeds and gaps of a composite, and bytes of each gap as JSON. The parts themselves have more. */
const max = { feeds: 4, gaps: 4, bytes: 80 };

/**
 * The coverage of all domains together. A domain that could not answer is a gap. `affected` where any domain is;
 * `not_affected` only where all four have answered so. Of many feeds, those that are missing or oldest are shown.
 */
export function mergeCoverage({ answers, unavailable }: CoveredDomains): Coverage {
  const parts = answers.map(({ coverage }) => coverage);
  const missing = unavailable.map(({ domain, reason }) => ({ domain, status: 'unknown' as const, reason }));
  const found = [...parts.flatMap((part) => part.domains), ...missing];
  const all = domains.flatMap((domain) => found.filter((each) => each.domain === domain));
  const feeds = new Map(parts.flatMap((part) => part.feeds).map((feed) => [feed.ecosystem, feed]));
  return {
    status: statusOf(parts, missing.length),
    domains: all.map(({ domain, status }) => ({ domain, status })),
    feeds: worstFeeds([...feeds.values()]),
    known: parts.some(({ known }) => known),
    gaps: bounded([
      ...missing.map(({ domain, reason }) => `${domain} could not answer: ${reason}`),
      ...parts.flatMap(({ gaps }) => gaps),
    ]),
  };
}

function statusOf(parts: readonly Coverage[], missing: number): Coverage['status'] {
  if (parts.some(({ status }) => status === 'affected')) return 'affected';
  const isSearched = missing === 0 && parts.length > 0 && parts.every(({ status }) => status === 'not_affected');
  return isSearched ? 'not_affected' : 'unknown';
}

function worstFeeds(feeds: Coverage['feeds']): Coverage['feeds'] {
  const age = ({ as_of }: Coverage['feeds'][number]) => as_of?.getTime() ?? 0;
  return feeds
    .toSorted((a, b) => Number(b.stale) - Number(a.stale) || age(a) - age(b))
    .slice(0, max.feeds)
    .sort((a, b) => compareText(a.ecosystem, b.ecosystem));
}

function bounded(gaps: readonly string[]): string[] {
  const all = [...new Set(gaps)].map((gap) => cutClean(gap, max.bytes));
  if (all.length <= max.gaps) return all;
  return [...all.slice(0, max.gaps - 1), `and ${all.length - max.gaps + 1} more`];
}
