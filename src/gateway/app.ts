import { AsyncLocalStorage } from 'node:async_hooks';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import { CallLimits, type CallLimitsOptions } from './call-limits.js';
import type { CallWatch } from './call-record.js';
import { type Caller, readCaller } from './caller.js';
import { createExecute, type Execute } from './execute.js';
import { jsonErrors, mcpErrors, notFound } from './http-errors.js';
import { createMcpServerFactory } from './mcp.js';
import { probes } from './probes.js';
import {
  allowedNames,
  checkHost,
  checkOrigin,
  giveAddress,
  giveRequestId,
  maxCalls,
  rejectDeepJson,
  rejectLargeBatches,
  rejectSeveralHosts,
  requireJson,
  setSecureHeaders,
} from './request-checks.js';
import { createTrpcRouter, retryAfterOf } from './trpc.js';
import { createTrpcShortWay } from './trpc-short-way.js';
import type { Upstream } from './upstream.js';

/** Bytes of a request to /trpc or /mcp; what is larger goes to the service itself. */
const maxBodyBytes = 256 * 1024;

export interface GatewayOptions extends CallWatch, CallLimitsOptions {
  readonly upstream: Upstream;
  readonly logger: Logger;
  /** Host names of the public address, without port. The loopback names are always allowed. */
  readonly allowedHosts?: readonly string[];
  /** Time limit of a call, in milliseconds. */
  readonly limitMs?: number;
  /** How many proxies in front are believed about the caller's address. */
  readonly trustProxy?: number;
  /** Other routes, such as the embedded API. They are served behind the same Host check and with the same errors. */
  readonly routes?: ReadonlyArray<{ readonly path: string; readonly handler: RequestHandler }>;
}

export interface Gateway {
  readonly app: Express;
  /** From now on /readyz says no, and each answer closes its connection. Requests are still served. */
  readonly drain: () => void;
  /** Ends MCP exchanges that still run. Who created the upstream closes it. */
  readonly close: () => Promise<void>;
}

/** The gateway as an Express app: /trpc and /mcp over one `execute`, and the probes. */
export function createGatewayApp({
  upstream,
  logger,
  allowedHosts = [],
  limitMs = 10_000,
  trustProxy = 0,
  routes = [],
  onCall,
  traced,
  ...limitOptions
}: GatewayOptions): Gateway {
  const watch = { ...(onCall !== undefined && { onCall }), ...(traced !== undefined && { traced }) };
  const execute = createExecute({ upstream, logger, limitMs, limits: new CallLimits(limitOptions), ...watch });
  const mcp = mcpHandler(execute, logger);
  const names = allowedNames(allowedHosts);
  let draining = false;

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  app.use(giveRequestId, setSecureHeaders);
  app.use((_req, res, next) => {
    if (draining) res.set('connection', 'close');
    next();
  });
  app.use(probes({ upstream, isDraining: () => draining }));
  app.use(rejectSeveralHosts, checkHost(names));
  app.use('/trpc', checkOrigin(names), requireJson, giveAddress, ...trpcHandlers(execute));
  app.all(
    '/mcp',
    checkOrigin(names),
    giveAddress,
    express.json({ limit: maxBodyBytes }),
    rejectDeepJson,
    rejectLargeBatches,
    mcp.handler,
    mcpErrors(logger),
  );
  for (const { path, handler } of routes) app.use(path, handler);
  app.use(notFound, jsonErrors(logger));
  const drain = () => {
    draining = true;
  };
  return { app, drain, close: mcp.close };
}

/** The short way of plain queries, and tRPC's own for all else. */
function trpcHandlers(execute: Execute): RequestHandler[] {
  const router = createTrpcRouter(execute);
  const callerOf = (req: Request, res: Response) => readCaller((name) => req.get(name), fieldsInto(res));
  const trpc = createExpressMiddleware({
    router,
    maxBatchSize: maxCalls,
    maxBodySize: maxBodyBytes,
    createContext: ({ req, res }) => callerOf(req, res),
    responseMeta: ({ errors }) => {
      const seconds = retryAfterOf(errors);
      return seconds === null ? {} : { headers: new Headers({ 'retry-after': String(seconds) }) };
    },
  });
  return [createTrpcShortWay({ router, execute, callerOf }), trpc];
}

/** Sets fields of an answer's header; not those of a stream that has begun. */
function fieldsInto(res: Response | undefined): Caller['showLimits'] {
  return (fields) => {
    if (res?.headersSent === false) res.set(fields);
  };
}

/** One stateless endpoint for protocol 2026-07-28 and the 2025 revisions. Each exchange gets a new server. */
function mcpHandler(execute: Execute, logger: Logger): { handler: RequestHandler; close: () => Promise<void> } {
  const createServer = createMcpServerFactory(execute);
  // The SDK gives a tool its request and not its answer.
  const answers = new AsyncLocalStorage<Response>();
  const mcp = createMcpHandler(
    ({ requestInfo }) =>
      createServer(() =>
        readCaller((name) => requestInfo?.headers.get(name) ?? undefined, fieldsInto(answers.getStore())),
      ),
    {
      maxRequestBodySize: maxBodyBytes,
      // A `subscriptions/listen` is acknowledged and ends at once: the server declares no changes to listen to. Nobody
      // can hold a stream open.
      // The message repeats what the client sent, so only the kind of error is logged.
      onerror: (error) => logger.debug({ kind: error.name }, 'mcp request refused'),
    },
  );
  const serve = toNodeHandler(mcp, { maxRequestBodySize: maxBodyBytes });
  return { handler: (req, res) => answers.run(res, () => serve(req, res, req.body)), close: () => mcp.close() };
}
