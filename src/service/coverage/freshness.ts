import type { FeedRow } from './feed-rows.js';

const maxFreshMs = 7 * 24 * 60 * 60 * 1000;

/** When the feed's content is from: the date that it gives, or else when its origin last confirmed it. */
export function asOf({ publishedAt, loadedAt, validator }: FeedRow): Date | null {
  return publishedAt ?? (validator === null ? null : loadedAt);
}

/**
 * A feed that its origin confirmed within the last days is fresh even without new content: CISA sometimes publishes
 * nothing for a week. A file loaded by hand is as old as its content.
 */
export function isFresh(feed: FeedRow, now: Date): boolean {
  const { loadedAt, validator } = feed;
  const content = asOf(feed);
  if (content === null) return false;
  const from = validator === null || content > loadedAt ? content : loadedAt;
  return now.getTime() - from.getTime() <= maxFreshMs;
}
