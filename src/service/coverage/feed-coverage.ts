import type { Coverage } from '../../procedures/coverage.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { compareText } from '../../shared/text/compare-text.js';
import type { Transaction } from '../db/database.js';

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

/** A feed's row. `contentHash` is null during a load, and after a load that was interrupted. */
export interface FeedRow {
  readonly name: string;
  readonly version: string | null;
  readonly publishedAt: Date | null;
  readonly loadedAt: Date;
  readonly records: number;
  readonly contentHash: string | null;
  /** The origin's name for its content: an ETag, in quotes, or a Last-Modified date. Null for a file loaded by hand. */
  readonly validator: string | null;
  /** The ecosystems whose advisories it has completely; none during a load, and after one that was interrupted. */
  readonly covers: readonly Ecosystem[];
  /** Ecosystems that any of its records name. */
  readonly named: readonly Ecosystem[];
  /** Records that could not be read. */
  readonly unread: number;
}

export async function listFeeds(tx: Transaction): Promise<FeedRow[]> {
  const rows = await tx.selectFrom('feeds').selectAll().orderBy('name').execute();
  return rows.map((row) => ({
    name: row.name,
    version: row.version,
    publishedAt: row.published_at,
    loadedAt: row.loaded_at,
    records: row.records,
    contentHash: row.content_hash?.toString('hex') ?? null,
    validator: row.etag,
    covers: row.content_hash === null ? [] : row.covers,
    named: row.named,
    unread: row.unread,
  }));
}

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

const titles = { epss: 'EPSS', kev: 'the KEV catalogue' } as const;

/** A gap of a "no" that EPSS or KEV decides: it is not loaded, or over 7 days old. */
export async function exploitationGap(tx: Transaction, name: keyof typeof titles, now: Date): Promise<string[]> {
  const feed = (await listFeeds(tx)).find((each) => each.name === name && each.contentHash !== null);
  const from = feed === undefined ? null : asOf(feed);
  if (feed === undefined || from === null) return [`${titles[name]} is not loaded`];
  return isFresh(feed, now) ? [] : [`${titles[name]} is old (${ageInDays(from, now)} days)`];
}

const dayMs = 24 * 60 * 60 * 1000;

export function ageInDays(moment: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - moment.getTime()) / dayMs));
}
