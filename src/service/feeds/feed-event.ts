import * as z from 'zod';
import { FeedError, feedNameOf } from './feed.js';
import { loadFeed } from './load.js';
import type { LoadContext, LoadRequest } from './load-context.js';
import { loadReport } from './load-report.js';

/** What happens while feeds are loaded. The caller is in this process or, with one JSON object a line, in another. */
export const feedEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), feed: z.string(), records: z.int(), fraction: z.number() }),
  z.object({ type: z.literal('loaded'), report: loadReport }),
  /** The origin has nothing new. */
  z.object({ type: z.literal('current'), feed: z.string() }),
  z.object({ type: z.literal('failed'), feed: z.string(), problem: z.string(), bad: loadReport.shape.bad }),
]);

export type FeedEvent = z.output<typeof feedEvent>;

export type EmitFeedEvent = (event: FeedEvent) => void;

/** Loads a file and emits its progress and its outcome. A file that cannot be used is an event, not an exception. */
export async function loadWithEvents(
  context: Omit<LoadContext, 'onProgress'>,
  request: LoadRequest,
  emit: EmitFeedEvent,
): Promise<void> {
  const feed = feedNameOf(request);
  await emitFailure(feed, emit, async () => {
    const onProgress: LoadContext['onProgress'] = (progress) => emit({ type: 'progress', feed, ...progress });
    emit({ type: 'loaded', report: await loadFeed({ ...context, onProgress }, request) });
  });
}

/** Runs `work`; a `FeedError` becomes an event. */
export async function emitFailure(feed: string, emit: EmitFeedEvent, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    emit({ type: 'failed', feed, problem: error.message, bad: error.bad });
  }
}
