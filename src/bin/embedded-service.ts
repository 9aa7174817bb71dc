import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import { type Environment, limitsOf, mailOf, oauthOf, signInOf } from '../env.js';
import { forgetEventsJob } from '../service/alert-details/forget-events.js';
import type { CallInProcess } from '../service/api/in-process.js';
import { createServiceApp } from '../service/app.js';
import { assessmentsJob } from '../service/assessment/continue-assessments.js';
import { loadServiceKeys } from '../service/auth/keys.js';
import { operatorBackupRoute } from '../service/backup/operator-route.js';
import { evaluateImagesJob } from '../service/containers/evaluate-images.js';
import type { Database } from '../service/db/database.js';
import { setUrl } from '../service/db/embedded/folder-lock.js';
import { openDatabase } from '../service/db/open.js';
import { withStartLock } from '../service/db/start-lock.js';
import { dailySync } from '../service/feeds/daily-sync.js';
import { operatorFeedRoutes } from '../service/feeds/operator-routes.js';
import { feedsJob, feedsJobName } from '../service/feeds/schedule.js';
import { routerOf } from '../service/http/routes.js';
import { JobRunner, newInstance } from '../service/jobs/job-runner.js';
import { landingsJob, unfinishedSets } from '../service/landing/upkeep.js';
import { createMailer } from '../service/mail/mailer.js';
import { mailsFrom } from '../service/mail/write-mail.js';
import { jobsRoute } from '../service/operator/jobs-route.js';
import { removeProjectsJob } from '../service/projects/removed-projects.js';
import { expireOverridesJob } from '../service/reachability/expire-overrides.js';
import { keyRenewalJob, openReceiptSigner } from '../service/receipts/signer.js';
import { learnVersionsJob } from '../service/registries/learn-versions.js';
import { createRegistryLookup } from '../service/registries/registry-lookup.js';
import { broughtIn } from '../service/remediation/plan-with-releases.js';
import { type FirstRun, firstRun } from '../service/sample/first-run.js';
import { createSecretBox } from '../service/secrets/secret-box.js';
import { loadStoredKeys } from '../service/secrets/service-keys.js';
import { loadWrappingKeys } from '../service/secrets/wrapping-keys.js';
import { UploadJobs } from '../service/uploads/upload-jobs.js';
import { deliveriesJob } from '../service/webhooks/deliveries.js';
import { sealWebhooks } from '../service/webhooks/seal-webhooks.js';
import type { SharedCounters } from '../shared/limits/shared-counters.js';
import { openAuditSink } from './audit-sink.js';
import { inDataFolder } from './data-folder.js';
import type { Telemetry } from './telemetry/open.js';

/** Beside the built programs. */
const builtDocs = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/docs' : './docs', import.meta.url),
);

export interface EmbeddedService {
  readonly route: { readonly path: string; readonly handler: RequestHandler };
  /** The short way of the gateway of this process. */
  readonly call: CallInProcess;
  /** Called once requests are answered: creates a first organisation if there is none, starts the background work. */
  readonly begin: (url: string) => Promise<FirstRun | null>;
  readonly close: () => Promise<void>;
}

/** What the service shares with the rest of its process. */
interface ServiceSetting extends Pick<Telemetry, 'metrics'> {
  readonly counters: SharedCounters | null;
  /** By which it knows the gateway. */
  readonly gatewaySecret: string;
}

/** Opens the alerting service in this process, with its database in the data folder or at DATABASE_URL. */
export async function openService(
  environment: Environment,
  logger: Logger,
  { metrics, counters, gatewaySecret }: ServiceSetting,
): Promise<EmbeddedService> {
  const oauth = oauthOf(environment);
  const mail = mailOf(environment);
  const signIn = signInOf(environment);
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, TRUST_PROXY: trustProxy } = environment;
  const database = await inDataFolder(dataDir, async () => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return openDatabase(databaseUrl === undefined ? { dataDir } : { databaseUrl });
  });
  let address = environment.PUBLIC_URL === undefined ? '' : new URL(environment.PUBLIC_URL).origin;
  const loading = () => loadKeys(environment, database, () => address);
  const { secrets, receipts, ...keys } = await inDataFolder(dataDir, loading).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  // Nobody else has the folder open, so these are of a run that has ended. A server's may be of another instance.
  const unfinished = databaseUrl === undefined ? await unfinishedSets(database) : [];
  const operatorRoutes = operatorFeedRoutes({ database, dataDir });
  if (databaseUrl === undefined) {
    operatorRoutes.use(routerOf([operatorBackupRoute({ database, dataDir, version: manifest.version })]));
  }
  const { WEBHOOK_ALLOWED_HOSTS: webhookHosts } = environment;
  const { REGISTRY_LOOKUP, REGISTRY_URLS: urls } = environment;
  const registries = REGISTRY_LOOKUP ? createRegistryLookup({ database, urls }) : undefined;
  const isSole = databaseUrl === undefined;
  const instance = newInstance();
  const { UPLOAD_WORKERS: workers, UPLOAD_MEMORY_MB: memoryMb } = environment;
  const folder = path.join(dataDir, 'uploads');
  const uploads = new UploadJobs({ database, logger, folder, isSole, instance, workers, memoryMb });
  let runner: JobRunner | undefined;
  operatorRoutes.use(routerOf([jobsRoute(database, async () => (await runner?.list()) ?? [])]));
  const { app, call } = createServiceApp({
    ...{
      database,
      secrets,
      receipts,
      ...keys,
      logger,
      uploads,
      operatorRoutes,
      trustProxy,
      gatewaySecret,
      webhookHosts,
      registries,
      signIn,
      issuer: oauth && { url: oauth.issuer, audiences: oauth.audiences },
    },
    canMail: mail !== undefined,
    auditReads: environment.AUDIT_READS,
    docs: builtDocs,
    onRequest: metrics?.onRequest,
    limits: limitsOf(environment),
    counters,
    nextSync: () => runner?.nextAt(feedsJobName) ?? null,
  });
  metrics?.watchService({ database, uploads, failingJobs: () => runner?.failing ?? 0 });
  return {
    route: { path: '/', handler: app },
    call,
    async begin(url) {
      address ||= url;
      if (databaseUrl === undefined) setUrl(dataDir, url);
      // Before the first entry is written.
      const sink = await openAuditSink(environment, database, logger);
      await inDataFolder(dataDir, () => uploads.receiving.spool.prepare());
      await uploads.begin();
      const run = () =>
        inDataFolder(dataDir, () => firstRun({ database, secrets, dataDir, url, sample: environment.POSTERN_SAMPLE }));
      const first = await (databaseUrl === undefined ? run() : withStartLock(databaseUrl, run));
      const sync = environment.FEEDS_SYNC ? [feedsJob(dailySync({ database, dataDir, logger }))] : [];
      const versions = registries === undefined ? [] : [learnVersionsJob(database, registries, broughtIn)];
      const deliveries = deliveriesJob({
        ...{ database, secrets, logger, allowedHosts: webhookHosts, onAttempt: metrics?.onAttempt },
        mail: mail && mailsFrom(database, createMailer(mail), mail.publicUrl),
      });
      // The order in which they are closed. Uploads write to the audit log until the end.
      const jobs = [
        ...[landingsJob(database, unfinished), removeProjectsJob(database), evaluateImagesJob(database)],
        ...[assessmentsJob(database), keyRenewalJob(receipts), expireOverridesJob(database), forgetEventsJob(database)],
        ...[...versions, deliveries, ...sync, uploads.upkeep(), ...sink],
      ];
      runner = new JobRunner({ database, logger, jobs, isSole, instance });
      runner.begin();
      return first;
    },
    async close() {
      await runner?.stop();
      await registries?.close();
      await database.close();
    },
  };
}

/**
 * The service's keys, what seals webhooks, those of an earlier version included, and what signs receipts.
 *
 * @param address the server's
 */
async function loadKeys(
  { DATA_DIR: dataDir, DATABASE_URL, ...environment }: Environment,
  database: Database,
  address: () => string,
) {
  const isEmbedded = DATABASE_URL === undefined;
  const configured = environment.SECRETS_KEY ?? [];
  const wrapping = await loadWrappingKeys({ dataDir, configured, isEmbedded });
  const stored = await loadStoredKeys(database, wrapping);
  const secrets = createSecretBox(stored.webhooks);
  await sealWebhooks(database, secrets);
  const keys = await loadServiceKeys({
    dataDir,
    jwtSecrets: environment.JWT_SECRET,
    operatorKey: environment.OPERATOR_KEY,
    storedJwtKey: isEmbedded ? undefined : stored.sessions,
  });
  const receipts = await openReceiptSigner({ database, wrapping, issuer: address, version: manifest.version });
  return { ...keys, secrets, receipts };
}
