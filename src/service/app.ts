import express, { type Express, type Router } from 'express';
import type { Logger } from 'pino';
import { defaultLimits, type LimitSettings } from '../shared/limits/limit-settings.js';
import type { SharedCounters } from '../shared/limits/shared-counters.js';
import { type BindOptions, bindHandlers, routesOf } from './api/bind.js';
import { type CallInProcess, callInProcess } from './api/in-process.js';
import { CallerCache } from './auth/caller-cache.js';
import { createIssuerTokens, type Issuer } from './auth/issuer-tokens.js';
import { createSessionTokens } from './auth/session-token.js';
import type { Database } from './db/database.js';
import { createHandlers } from './handlers.js';
import { gatewaySecretSetting } from './http/address.js';
import { healthRoute } from './http/health.js';
import { answerProblems } from './http/problem-answer.js';
import { setRequestId } from './http/request-id.js';
import { rejectUnrouted, routerOf } from './http/routes.js';
import { Admission } from './limits/admission.js';
import { createResolveNames } from './naming/resolve-names.js';
import { openApiRoutes } from './openapi/routes.js';
import { backChannelLogout } from './openid/back-channel-logout.js';
import { createOpenId, type OpenIdOptions } from './openid/openid.js';
import { requireOperator } from './operator/guard.js';
import { operatorOrganisationRoutes } from './operator/routes.js';
import type { AllowedHosts } from './outbound/allowed-hosts.js';
import type { ReceiptSigner } from './receipts/signer.js';
import type { RegistryLookup } from './registries/registry-lookup.js';
import type { SecretBox } from './secrets/secret-box.js';
import { type ResolveTxt, systemTxt } from './sign-in-settings/email-domains.js';
import type { UploadJobs } from './uploads/upload-jobs.js';

export interface ServiceAppOptions {
  readonly database: Database;
  /** Of session tokens, 32 bytes at least each: the first signs, all are accepted. */
  readonly jwtKeys: readonly Uint8Array[];
  readonly operatorKey: string;
  /** The OAuth issuer whose access tokens are taken too; none if absent. */
  readonly issuer?: Issuer | undefined;
  /** How people sign in at issuers; without `publicUrl` they do not. */
  readonly signIn?: Pick<OpenIdOptions, 'publicUrl' | 'instance' | 'timeoutMs'> | undefined;
  /** Seals the addresses and secrets of webhooks, and the secrets of clients. */
  readonly secrets: SecretBox;
  readonly receipts: ReceiptSigner;
  readonly logger: Logger;
  /** Takes what is too large for the main thread. Whoever makes it begins and closes it. */
  readonly uploads: UploadJobs;
  /** Additional routes behind the operator key, relative to `/api/operator`. */
  readonly operatorRoutes?: Router;
  /** Hosts of webhooks and of organisations' issuers that may have private addresses; none if absent. */
  readonly webhookHosts?: AllowedHosts;
  /** Looks up names that nothing here knows; none if absent. */
  readonly registries?: RegistryLookup | undefined;
  /** When the feeds are next synced; never if absent. */
  readonly nextSync?: () => Date | null;
  /** Express's `trust proxy`: which proxies' X-Forwarded-For gives the caller's address; none if absent. */
  readonly trustProxy?: boolean | number | string;
  /** Asks DNS; the servers of this machine if absent. */
  readonly resolveTxt?: ResolveTxt;
  /** Whether mails are sent, by `deliveriesJob`; false if absent. */
  readonly canMail?: boolean;
  readonly auditReads?: BindOptions['auditReads'];
  readonly onRequest?: BindOptions['onRequest'];
  /** Limits on calls; the usual ones if absent. */
  readonly limits?: LimitSettings;
  /** Counts that several instances share; each counts alone if absent. */
  readonly counters?: SharedCounters | null;
  /** Folder of the built viewer of the API's reference; without it there is no page. */
  readonly docs?: string;
  /** Shared with the gateway, whose word on a caller's address it then believes; no gateway's if absent. */
  readonly gatewaySecret?: string | undefined;
}

export interface ServiceApp {
  /** The REST API: answers `/api`, and what describes it. */
  readonly app: Express;
  /** The same for the gateway of this process. */
  readonly call: CallInProcess;
}

export function createServiceApp(options: ServiceAppOptions): ServiceApp {
  const { database, logger, operatorRoutes, uploads } = options;
  const tokens = createSessionTokens(options.jwtKeys);
  const issuerTokens = options.issuer === undefined ? null : createIssuerTokens(options.issuer);
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('trust proxy', options.trustProxy ?? false);
  app.set(gatewaySecretSetting, options.gatewaySecret);
  app.use('/api', setRequestId, (_req, res, next) => {
    res.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    next();
  });
  app.use(
    '/api/operator',
    requireOperator({ key: options.operatorKey, counters: options.counters ?? null }),
    routerOf(operatorOrganisationRoutes(database, uploads.receiving)),
  );
  if (operatorRoutes !== undefined) app.use('/api/operator', operatorRoutes);
  const bindOptions: BindOptions = {
    database,
    tokens,
    issuerTokens,
    callers: new CallerCache(() => database.callersRevision()),
    logger,
    resolveNames: createResolveNames(database),
    auditReads: options.auditReads,
    onRequest: options.onRequest,
    uploads,
    receiving: uploads.receiving,
    admission: new Admission({ limits: options.limits ?? defaultLimits, counters: options.counters ?? null }),
  };
  const webhookHosts = options.webhookHosts ?? new Set();
  const openId = createOpenId({
    ...{ database, tokens, jwtKeys: options.jwtKeys, secrets: options.secrets, logger },
    ...{ allowedHosts: webhookHosts, ...options.signIn },
  });
  const ownUrls = [options.signIn?.instance?.issuer, options.issuer?.url].filter((url) => url !== undefined);
  const bounds = bindHandlers(
    createHandlers({
      tokens,
      secrets: options.secrets,
      receipts: options.receipts,
      webhookHosts,
      registries: options.registries ?? null,
      nextSync: options.nextSync ?? (() => null),
      issuerTokens,
      ownIssuers: [...new Set(ownUrls)],
      openId,
      resolveTxt: options.resolveTxt ?? systemTxt(),
      canMail: options.canMail ?? false,
    }),
  );
  app.use(backChannelLogout(openId));
  app.use(routerOf([healthRoute(database), ...bounds.flatMap((bound) => routesOf(bound, bindOptions))]));
  app.use('/api', rejectUnrouted);
  app.use(openApiRoutes(options.docs));
  app.use(answerProblems(logger));
  return { app, call: callInProcess(bounds, bindOptions) };
}
