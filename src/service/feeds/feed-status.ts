import { sql } from 'kysely';
import * as z from 'zod';
import { timestamp } from '../../procedures/wire.js';
import { ecosystem } from '../../shared/packages/ecosystem.js';
import { asOf, type FeedRow, isFresh, listFeeds } from '../coverage/feed-coverage.js';
import type { Transaction } from '../db/database.js';
import { intelligenceAge } from './staleness.js';

/** Records that could not be read, as a status lists them; `unread` counts all. */
const maxListed = 20;

const unreadRecord = z.object({
  /** `line 12`, `entry GHSA-….json` or `record 3`. */
  at: z.string(),
  field: z.string(),
  problem: z.string(),
  /** As `npm lodash`; null where they cannot be read. */
  packages: z.array(z.string()).nullable(),
});

export const feedStatus = z.object({
  feeds: z.array(
    z.object({
      name: z.string(),
      version: z.string().nullable(),
      published_at: timestamp.nullable(),
      loaded_at: timestamp,
      records: z.int(),
      /** False during a load, and after a load that was interrupted. */
      complete: z.boolean(),
      /** When its content is from; null where nothing says it. */
      as_of: timestamp.nullable(),
      stale: z.boolean(),
      /** The ecosystems whose advisories it has completely. */
      covers: z.array(ecosystem),
      unread: z.int(),
      unread_records: z.array(unreadRecord).max(maxListed),
    }),
  ),
  stale: z.boolean(),
});

export type FeedStatus = z.output<typeof feedStatus>;

/** The status in wire form. */
export async function readStatus(tx: Transaction, now: Date): Promise<z.input<typeof feedStatus>> {
  const feeds = await listFeeds(tx);
  const unread = await readUnread(tx);
  return z.encode(feedStatus, {
    feeds: feeds.map((feed) => ({
      ...describeFeed(feed, now),
      published_at: feed.publishedAt,
      unread_records: unread.filter(({ feed: name }) => name === feed.name).map(({ feed: _, ...record }) => record),
    })),
    stale: intelligenceAge(feeds, now).stale,
  });
}

/** What everybody may know of a feed. */
export function describeFeed(feed: FeedRow, now: Date) {
  return {
    name: feed.name,
    version: feed.version,
    loaded_at: feed.loadedAt,
    records: feed.records,
    complete: feed.contentHash !== null,
    as_of: asOf(feed),
    stale: feed.contentHash === null || (!isAgeless(feed) && !isFresh(feed, now)),
    covers: [...feed.covers],
    unread: feed.unread,
  };
}

/** Symbols say nothing of which advisories there are: where a newer record is missing, a verdict is only higher. */
function isAgeless({ name }: FeedRow): boolean {
  return name.startsWith('symbols:');
}

async function readUnread(tx: Transaction): Promise<(z.output<typeof unreadRecord> & { readonly feed: string })[]> {
  const { rows } = await sql<z.output<typeof unreadRecord> & { feed: string }>`
    select feed, at, field, problem, packages from unread_records where place < ${maxListed}
    order by feed, place`.execute(tx);
  return rows;
}
