import type { Logger } from 'pino';
import { listFeeds } from '../coverage/feed-coverage.js';
import type { Database } from '../db/database.js';
import type { FeedEvent } from './feed-event.js';
import { type FeedOrigin, publicFeeds } from './feed-origins.js';
import { reconcileWith } from './load-context.js';
import type { FeedScheduleOptions } from './schedule.js';
import { syncFeeds } from './sync.js';

export interface DailySyncOptions {
  readonly database: Database;
  readonly dataDir: string;
  readonly logger: Logger;
  readonly origins?: readonly FeedOrigin[];
}

/** `feedsJob` does this every day where FEEDS_SYNC is on. The outcome of each feed is logged. */
export function dailySync({ database, dataDir, logger, origins = publicFeeds }: DailySyncOptions): FeedScheduleOptions {
  return {
    sync: (signal) => {
      const emit = (event: FeedEvent) => logEvent(logger, event);
      return syncFeeds({ database, dataDir, signal, emit, reconcile: reconcileWith(database) }, origins);
    },
    lastSync: async () => {
      // Only a feed downloaded from an origin has a validator: files loaded by hand do not count as a sync.
      const synced = (await database.system(listFeeds)).filter(({ validator }) => validator !== null);
      return synced.length === 0 ? null : new Date(Math.max(...synced.map(({ loadedAt }) => loadedAt.getTime())));
    },
  };
}

function logEvent(logger: Logger, event: FeedEvent): void {
  switch (event.type) {
    case 'progress':
      return;
    case 'current':
      logger.info({ feed: event.feed }, 'feed is up to date');
      return;
    case 'failed':
      logger.warn({ feed: event.feed, problem: event.problem }, 'feed could not be synced');
      return;
    case 'loaded': {
      const { feed, outcome, version, counts, alerts } = event.report;
      logger.info({ feed, outcome, version, counts, alerts }, 'feed loaded');
    }
  }
}
