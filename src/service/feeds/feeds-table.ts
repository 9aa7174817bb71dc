import { sql } from 'kysely';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { type FeedRow, listFeeds } from '../coverage/feed-coverage.js';
import type { Transaction } from '../db/database.js';
import type { UnreadRecord } from './reading.js';

export type LoadedFeed = Omit<FeedRow, 'loadedAt' | 'contentHash'> & { readonly contentHash: string };

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
export async function finishLoad(tx: Transaction, feed: LoadedFeed, unread: readonly UnreadRecord[]): Promise<void> {
  await sql`
    update feeds set loaded_at = now(), records = ${feed.records}, content_hash = decode(${feed.contentHash}, 'hex'),
      etag = ${feed.validator}, covers = ${[...feed.covers]}, named = ${[...feed.named]}, unread = ${feed.unread},
      version = case when published_at > ${feed.publishedAt}::timestamptz then version else ${feed.version} end,
      published_at = greatest(published_at, ${feed.publishedAt}::timestamptz)
    where name = ${feed.name}`.execute(tx);
  await sql`delete from unread_records where feed = ${feed.name}`.execute(tx);
  if (unread.length === 0) return;
  await sql`
    insert into unread_records (feed, place, at, field, problem, packages)
    select ${feed.name}, place, at, field, problem, packages
    from json_to_recordset(${JSON.stringify(unread.map((each, place) => ({ ...each, place })))}::json)
      as record (place integer, at text, field text, problem text, packages text[])`.execute(tx);
}

/** The operator says what a feed that is loaded already has completely. */
export async function stateCovers(tx: Transaction, name: string, covers: readonly Ecosystem[]): Promise<void> {
  await sql`update feeds set covers = ${[...covers]} where name = ${name}`.execute(tx);
}

/** The origin still publishes what was loaded: it is up to date as of now. */
export async function confirmFeed(tx: Transaction, name: string, validator: string | null): Promise<void> {
  await sql`update feeds set loaded_at = now(), etag = ${validator} where name = ${name} and content_hash is not null`.execute(
    tx,
  );
}
