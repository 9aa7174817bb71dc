import { ecosystems } from '../../shared/packages/ecosystem.js';
import type { Handlers } from '../api/handler.js';
import { feedCoverage, listFeeds } from '../coverage/feed-coverage.js';
import { stackEcosystems } from '../coverage/projects-searched.js';
import { describeFeed } from '../feeds/feed-status.js';
import { intelligenceAge } from '../feeds/staleness.js';

/** What is loaded, and how old it is. What could not be read of a feed is for its operator. */
export function getFeeds(nextSync: () => Date | null): Handlers['intelligence']['getFeeds'] {
  return async ({ tx, organisationId, now }) => {
    const feeds = await listFeeds(tx);
    const tracked = new Set(await stackEcosystems(tx, { organisationId }, ecosystems));
    return {
      feeds: feeds.map((feed) => ({ ...describeFeed(feed, now), kind: kindOf(feed.name) })),
      ecosystems: feedCoverage(feeds, ecosystems, now).map((of) => ({ ...of, tracked: tracked.has(of.ecosystem) })),
      stale: intelligenceAge(feeds, now).stale,
      next_sync_at: nextSync(),
    };
  };
}

function kindOf(name: string) {
  if (name === 'epss' || name === 'kev') return name;
  return name.startsWith('symbols:') ? 'symbols' : 'osv';
}
