import type { RouterOutputs } from '../../../client/index.js';
import { counted } from '../../components/format/format.js';

type Feeds = Pick<RouterOutputs['intelligence']['getFeeds'], 'feeds' | 'ecosystems' | 'stale'>;

const both = new Intl.ListFormat('en', { type: 'conjunction' });

export function feedsAnswer({ feeds, ecosystems, stale }: Feeds): string {
  if (feeds.length === 0) return 'No feed is loaded: no answer about a vulnerability can be relied on.';
  const tracked = ecosystems.filter((each) => each.tracked);
  const missing = tracked.filter(({ as_of }) => as_of === null).map(({ ecosystem }) => ecosystem);
  const old = tracked.filter((each) => each.as_of !== null && each.stale).map(({ ecosystem }) => ecosystem);
  const records = counted(
    feeds.reduce((sum, feed) => sum + feed.records, 0),
    'record',
  );
  const fresh = `${counted(feeds.length, 'feed')} with ${records} ${feeds.length === 1 ? 'is' : 'are'} loaded.`;
  if (missing.length > 0) {
    return `${fresh} You track packages of ${both.format(missing)}, whose advisories are not completely here: for these no answer says “not affected”.`;
  }
  if (old.length > 0) return `${fresh} The advisories for ${both.format(old)} are older than 7 days.`;
  if (stale) return `${fresh} Advisories, EPSS or KEV are missing or older than 7 days.`;
  return `${fresh} Each ecosystem that you track is covered, and nothing is older than 7 days.`;
}
