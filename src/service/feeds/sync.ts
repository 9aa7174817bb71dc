import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type DownloadLimits, discard, download, downloadLimits } from './download.js';
import { FeedError } from './feed.js';
import { feedNameOf, loadAndTell, type Tell, tellFailure } from './feed-event.js';
import type { FeedOrigin } from './feed-origins.js';
import { confirmFeed, readFeed } from './feeds-table.js';
import type { LoadContext } from './load-context.js';

export interface SyncContext extends Omit<LoadContext, 'onProgress'> {
  /** Downloads lie in it, and go when they are loaded. */
  readonly dataDir: string;
  readonly tell: Tell;
  readonly limits?: DownloadLimits;
}

/** Downloads and loads feeds, one after the other. One that fails does not keep the others from being loaded. */
export async function syncFeeds(context: SyncContext, origins: readonly FeedOrigin[]): Promise<void> {
  for (const origin of origins) {
    context.signal?.throwIfAborted();
    await tellFailure(feedNameOf(origin), context.tell, () => syncFeed(context, origin));
  }
}

/** Downloads at work in this process: the schedule and the operator may ask for the same feed at once. */
const atWork = new Set<string>();

async function syncFeed(context: SyncContext, origin: FeedOrigin): Promise<void> {
  const path = join(context.dataDir, 'downloads', feedNameOf(origin).replaceAll(/[^A-Za-z0-9.-]/g, '_'));
  if (atWork.has(path)) throw new FeedError('is being synced already');
  atWork.add(path);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await fetchAndLoad(context, origin, path);
  } finally {
    atWork.delete(path);
  }
}

async function fetchAndLoad(context: SyncContext, origin: FeedOrigin, path: string): Promise<void> {
  const { database, signal, tell } = context;
  const feed = feedNameOf(origin);
  const stored = await database.system((tx) => readFeed(tx, feed));
  const got = await download(origin.url, {
    path,
    validator: stored?.validator ?? null,
    limits: context.limits ?? downloadLimits,
    ...(signal && { signal }),
  });
  if (got.kind === 'unchanged') {
    await database.system((tx) => confirmFeed(tx, feed, stored?.validator ?? null));
    tell({ type: 'current', feed });
    return;
  }
  try {
    // The name in the address tells the type; every ecosystem's is all.zip.
    const name = `${origin.part === '' ? '' : `${origin.part}/`}${basename(new URL(origin.url).pathname)}`;
    const { kind, part } = origin;
    const request = { kind, part, file: { path, name }, onBad: 'report', validator: got.validator } as const;
    await loadAndTell(context, request, tell);
  } finally {
    await discard(path);
  }
}
