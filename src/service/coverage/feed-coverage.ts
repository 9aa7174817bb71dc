import type { Coverage } from '../../procedures/coverage.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { compareText } from '../../shared/text/compare-text.js';
import type { Transaction } from '../db/database.js';
import { asOf, type FeedRow, isFresh, listFeeds } from './feed-rows.js';

/**
 * How fresh the advisories of each asked ecosystem are, sorted by its name. A feed counts for the ecosystems that it has
 * completely, and only once it was loaded to its end. `as_of` is null where no such feed is loaded.
 */
export async function readFeedCoverage(
  tx: Transaction,
  ecosystems: readonly Ecosystem[],
  now: Date,
): Promise<Coverage['feeds']> {
  return feedCoverage(await listFeeds(tx), ecosystems, now);
}

export function feedCoverage(
  feeds: readonly FeedRow[],
  ecosystems: readonly Ecosystem[],
  now: Date,
): Coverage['feeds'] {
  return [...new Set(ecosystems)].sort(compareText).map((ecosystem) => {
    const covering = feeds.filter(({ covers, contentHash }) => contentHash !== null && covers.includes(ecosystem));
    const dates = covering.flatMap((feed) => asOf(feed)?.getTime() ?? []);
    return {
      ecosystem,
      as_of: dates.length === 0 ? null : new Date(Math.max(...dates)),
      stale: !covering.some((feed) => isFresh(feed, now)),
    };
  });
}
