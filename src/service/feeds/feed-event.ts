import * as z from 'zod';
import { FeedError, feedKinds } from './feed.js';
import { loadFeed } from './load.js';
import type { LoadContext, LoadRequest } from './load-context.js';

const badRecord = z.object({ file: z.string(), at: z.string(), field: z.string(), problem: z.string() });
const bad = z.array(badRecord).readonly();

const report = z.object({
  feed: z.string(),
  kind: z.enum(feedKinds),
  outcome: z.enum(['loaded', 'same', 'older']),
  version: z.string().nullable(),
  publishedAt: z
    .codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })
    .nullable(),
  counts: z.object({
    added: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    withdrawn: z.int(),
    removed: z.int(),
    skipped: z.int(),
    bad: z.int(),
  }),
  bad,
  alerts: z.object({ opened: z.int(), reopened: z.int(), resolved: z.int(), updated: z.int() }),
});

/** What happens while feeds are loaded: for who waits, in this process or, one JSON object a line, in another. */
export const feedEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), feed: z.string(), records: z.int(), fraction: z.number() }),
  z.object({ type: z.literal('loaded'), report }),
  /** The origin has nothing new. */
  z.object({ type: z.literal('current'), feed: z.string() }),
  z.object({ type: z.literal('failed'), feed: z.string(), problem: z.string(), bad }),
]);

export type FeedEvent = z.output<typeof feedEvent>;

export type Tell = (event: FeedEvent) => void;

export function feedNameOf({ kind, part }: Pick<LoadRequest, 'kind' | 'part'>): string {
  return kind === 'osv' ? `osv:${part}` : kind;
}

/** Loads a file and tells how it goes; a file that cannot be used is told of, not thrown. */
export async function loadAndTell(
  context: Omit<LoadContext, 'onProgress'>,
  request: LoadRequest,
  tell: Tell,
): Promise<void> {
  const feed = feedNameOf(request);
  await tellFailure(feed, tell, async () => {
    const onProgress: LoadContext['onProgress'] = (progress) => tell({ type: 'progress', feed, ...progress });
    tell({ type: 'loaded', report: await loadFeed({ ...context, onProgress }, request) });
  });
}

/** Runs `work`; a `FeedError` becomes an event. */
export async function tellFailure(feed: string, tell: Tell, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    tell({ type: 'failed', feed, problem: error.message, bad: error.bad });
  }
}
