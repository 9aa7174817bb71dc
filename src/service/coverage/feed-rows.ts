import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Transaction } from '../db/database.js';

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
