import { sql } from 'kysely';
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
}

export type LoadedFeed = Omit<FeedRow, 'loadedAt' | 'contentHash'> & { readonly contentHash: string };

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
  }));
}

export async function readFeed(tx: Transaction, name: string): Promise<FeedRow | undefined> {
  return (await listFeeds(tx)).find((feed) => feed.name === name);
}

/** Until `finishLoad`, neither content nor validator counts as loaded: an interrupted load is repeated. */
export async function beginLoad(tx: Transaction, name: string): Promise<void> {
  await sql`
    insert into feeds (name, loaded_at, records) values (${name}, now(), 0)
    on conflict (name) do update set content_hash = null, etag = null`.execute(tx);
}

/** Records a finished load. An older file does not replace a newer publication date. */
export async function finishLoad(tx: Transaction, feed: LoadedFeed): Promise<void> {
  await sql`
    update feeds set loaded_at = now(), records = ${feed.records}, content_hash = decode(${feed.contentHash}, 'hex'),
      etag = ${feed.validator},
      version = case when published_at > ${feed.publishedAt}::timestamptz then version else ${feed.version} end,
      published_at = greatest(published_at, ${feed.publishedAt}::timestamptz)
    where name = ${feed.name}`.execute(tx);
}

/** The origin still publishes what was loaded: it is up to date as of now. */
export async function confirmFeed(tx: Transaction, name: string, validator: string | null): Promise<void> {
  await sql`update feeds set loaded_at = now(), etag = ${validator} where name = ${name} and content_hash is not null`.execute(
    tx,
  );
}

/** An advisory lock that nothing else uses: `feeds` in ASCII. */
const lockNumber = 0x6665656473;

/** Held until the transaction ends. Two loads at the same time alternate, batch by batch, and do not mix. */
export async function lockFeeds(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockNumber}::bigint)`.execute(tx);
}
