import { mkdir } from 'node:fs/promises';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Environment } from '../env.js';
import { createServiceApp } from '../service/app.js';
import { loadServiceKeys } from '../service/auth/keys.js';
import { setUrl } from '../service/db/folder-lock.js';
import { openDatabase } from '../service/db/open.js';
import { publicFeeds } from '../service/feeds/feed-origins.js';
import { listFeeds } from '../service/feeds/feeds-table.js';
import { reconcileWith } from '../service/feeds/load-context.js';
import { operatorFeedRoutes } from '../service/feeds/operator-routes.js';
import { startFeedSchedule } from '../service/feeds/schedule.js';
import { syncFeeds } from '../service/feeds/sync.js';
import { type FirstRun, firstRun } from '../service/sample/first-run.js';

export interface EmbeddedService {
  readonly route: { readonly path: string; readonly handler: RequestHandler };
  /** Once requests are answered: makes the first organisation where there is none, and starts what runs by itself. */
  readonly begin: (url: string) => Promise<FirstRun | null>;
  readonly close: () => Promise<void>;
}

/** The alerting service in this process, on its data folder or on DATABASE_URL. */
export async function openService(environment: Environment, logger: Logger): Promise<EmbeddedService> {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, TRUST_PROXY: trustProxy } = environment;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const database = await openDatabase(databaseUrl === undefined ? { dataDir } : { databaseUrl });
  const keys = await loadServiceKeys({
    dataDir,
    jwtSecret: environment.JWT_SECRET,
    operatorKey: environment.OPERATOR_KEY,
  }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const operatorRoutes = operatorFeedRoutes({ database, dataDir });
  const app = createServiceApp({ database, ...keys, logger, operatorRoutes, trustProxy });
  const stops: (() => Promise<void>)[] = [];
  return {
    route: { path: '/', handler: app },
    async begin(url) {
      if (databaseUrl === undefined) setUrl(dataDir, url);
      const first = await firstRun({ database, dataDir, url, sample: environment.POSTERN_SAMPLE });
      if (environment.FEEDS_SYNC) stops.push(scheduleFeeds());
      return first;
    },
    async close() {
      for (const stop of stops) await stop();
      await database.close();
    },
  };

  function scheduleFeeds(): () => Promise<void> {
    const schedule = startFeedSchedule({
      sync: (signal) =>
        syncFeeds(
          {
            database,
            dataDir,
            signal,
            reconcile: reconcileWith(database),
            tell: (event) => logger.info(event, 'feeds'),
          },
          publicFeeds,
        ),
      lastSync: async () => {
        const times = (await database.system(listFeeds)).map(({ loadedAt }) => loadedAt.getTime());
        return times.length === 0 ? null : new Date(Math.max(...times));
      },
      onError: (error) => logger.error({ err: error }, 'feeds could not be synced'),
    });
    return schedule.stop;
  }
}
