import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type DownloadLimits, discard, download, downloadLimits } from './download.js';
import { FeedError, feedNameOf } from './feed.js';
import { type EmitFeedEvent, emitFailure, loadWithEvents } from './feed-event.js';
import type { FeedOrigin } from './feed-origins.js';
import { confirmFeed, readFeed } from './feeds-table.js';
import type { LoadContext } from './load-context.js';

export interface SyncContext extends Omit<LoadContext, 'onProgress'> {
  /** Downloads are kept in it until they are loaded. */
  readonly dataDir: string;
  readonly emit: EmitFeedEvent;
  readonly limits?: DownloadLimits;
}

/** Downloads and loads feeds, one after the other. A feed that fails does not stop the others. */
export async function syncFeeds(context: SyncContext, origins: readonly FeedOrigin[]): Promise<void> {
  for (const origin of origins) {
    context.signal?.throwIfAborted();
    await emitFailure(feedNameOf(origin), context.emit, () => syncFeed(context, origin));
  }
}

/** Downloads in progress in this process: the schedule and the operator may start the same one at the same time. */
const inProgress = new Set<string>();

async function syncFeed(context: SyncContext, origin: FeedOrigin): Promise<void> {
  const path = join(context.dataDir, 'downloads', feedNameOf(origin).replaceAll(/[^A-Za-z0-9.-]/g, '_'));
  if (inProgress.has(path)) throw new FeedError('is being synced already');
  inProgress.add(path);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await fetchAndLoad(context, origin, path);
  } finally {
    inProgress.delete(path);
  }
}

async function fetchAndLoad(context: SyncContext, origin: FeedOrigin, path: string): Promise<void> {
  const { database, signal, emit } = context;
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
    emit({ type: 'current', feed });
    return;
  }
  try {
    // The file name of the address gives the type. Each ecosystem's is all.zip, so the ecosystem goes in front of it.
    const name = `${origin.part === '' ? '' : `${origin.part}/`}${basename(new URL(origin.url).pathname)}`;
    const { kind, part } = origin;
    const request = { kind, part, file: { path, name }, onBad: 'report', validator: got.validator } as const;
    await loadWithEvents(context, request, emit);
  } finally {
    await discard(path);
  }
}
