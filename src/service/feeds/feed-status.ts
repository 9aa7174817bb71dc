import * as z from 'zod';
import { timestamp } from '../../procedures/wire.js';
import { listFeeds } from '../coverage/feed-rows.js';
import type { Transaction } from '../db/database.js';
import { intelligenceAge } from './staleness.js';

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
    }),
  ),
  stale: z.boolean(),
});

export type FeedStatus = z.output<typeof feedStatus>;

/** The status in wire form. */
export async function readStatus(tx: Transaction, now: Date): Promise<z.input<typeof feedStatus>> {
  const feeds = await listFeeds(tx);
  return z.encode(feedStatus, {
    feeds: feeds.map(({ name, version, publishedAt, loadedAt, records, contentHash }) => ({
      name,
      version,
      published_at: publishedAt,
      loaded_at: loadedAt,
      records,
      complete: contentHash !== null,
    })),
    stale: intelligenceAge(feeds, now).stale,
  });
}
