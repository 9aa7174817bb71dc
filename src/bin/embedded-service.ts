import { mkdir } from 'node:fs/promises';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Environment } from '../env.js';
import { createServiceApp } from '../service/app.js';
import { startAssessments } from '../service/assessment/continue-assessments.js';
import { loadServiceKeys } from '../service/auth/keys.js';
import { setUrl } from '../service/db/embedded/folder-lock.js';
import { openDatabase } from '../service/db/open.js';
import { dailySync } from '../service/feeds/daily-sync.js';
import { operatorFeedRoutes } from '../service/feeds/operator-routes.js';
import { startFeedSchedule } from '../service/feeds/schedule.js';
import { describeFailure } from '../service/http/describe-failure.js';
import { startLandingUpkeep, unfinishedSets } from '../service/landing/upkeep.js';
import { startOverrideExpiry } from '../service/reachability/expire-overrides.js';
import { createRegistryLookup } from '../service/registries/registry-lookup.js';
import { type FirstRun, firstRun } from '../service/sample/first-run.js';
import { startDeliveries } from '../service/webhooks/deliveries.js';

export interface EmbeddedService {
  readonly route: { readonly path: string; readonly handler: RequestHandler };
  /** Called once requests are answered: creates a first organisation if there is none, starts the background work. */
  readonly begin: (url: string) => Promise<FirstRun | null>;
  readonly close: () => Promise<void>;
}

/** Opens the alerting service in this process, with its database in the data folder or at DATABASE_URL. */
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
  // Nobody else has the folder open, so these are of a run that has ended. A server's may be of another instance.
  const unfinished = databaseUrl === undefined ? await unfinishedSets(database) : [];
  const operatorRoutes = operatorFeedRoutes({ database, dataDir });
  const { WEBHOOK_ALLOWED_HOSTS: webhookHosts } = environment;
  const { REGISTRY_LOOKUP, REGISTRY_URLS: urls } = environment;
  const registries = REGISTRY_LOOKUP ? createRegistryLookup({ database, urls }) : undefined;
  const app = createServiceApp({ database, ...keys, logger, operatorRoutes, trustProxy, webhookHosts, registries });
  const stops: (() => Promise<void>)[] = [];
  return {
    route: { path: '/', handler: app },
    async begin(url) {
      if (databaseUrl === undefined) setUrl(dataDir, url);
      const first = await firstRun({ database, dataDir, url, sample: environment.POSTERN_SAMPLE });
      const logged = (what: string) => (error: unknown) => logger.error({ failure: describeFailure(error) }, what);
      stops.push(startLandingUpkeep(database, unfinished, logged('an upload could not be tidied up')).stop);
      stops.push(startAssessments(database, logged('alerts and verdicts could not be brought up to date')).stop);
      stops.push(startOverrideExpiry(database, logged('overrides could not be ended')).stop);
      stops.push(startDeliveries({ database, logger, allowedHosts: webhookHosts }).stop);
      if (environment.FEEDS_SYNC) stops.push(startFeedSchedule(dailySync({ database, dataDir, logger })).stop);
      return first;
    },
    async close() {
      for (const stop of stops) await stop();
      await registries?.close();
      await database.close();
    },
  };
}
