import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { readCaller } from './caller.js';
import { createExecute, type Execute } from './execute.js';
import { jsonErrors, mcpErrors, notFound } from './http-errors.js';
import { createMcpServerFactory } from './mcp.js';
import { probes } from './probes.js';
import {
  allowedNames,
  checkHost,
  checkOrigin,
  giveRequestId,
  maxCalls,
  rejectLargeBatches,
  requireJson,
  setSecureHeaders,
} from './request-checks.js';
import { createTrpcRouter, retryAfterOf } from './trpc.js';
import type { Upstream } from './upstream.js';

/** Bytes of a request to /trpc or /mcp; what is larger goes to the service itself. */
const maxBodyBytes = 256 * 1024;

export interface GatewayOptions {
  readonly upstream: Upstream;
  readonly logger: Logger;
  /** Host names of the public address, without port. The loopback names are always allowed. */
  readonly allowedHosts?: readonly string[];
  /** Time limit of a call, in milliseconds. */
  readonly limitMs?: number;
  /** Other routes, such as the embedded API. They are served behind the same Host check and with the same errors. */
  readonly routes?: ReadonlyArray<{ readonly path: string; readonly handler: RequestHandler }>;
}

export interface Gateway {
  readonly app: Express;
  /** Ends MCP exchanges that still run. Who created the upstream closes it. */
  readonly close: () => Promise<void>;
}

/** The gateway as an Express app: /trpc and /mcp over one `execute`, and the probes. */
export function createGatewayApp({
  upstream,
  logger,
  allowedHosts = [],
  limitMs = 10_000,
  routes = [],
}: GatewayOptions): Gateway {
  const execute = createExecute({ upstream, logger, limitMs });
  const mcp = mcpHandler(execute, logger);
  const names = allowedNames(allowedHosts);

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(giveRequestId, setSecureHeaders);
  app.use(probes(upstream));
  app.use(checkHost(names));
  app.use('/trpc', checkOrigin(names), requireJson, trpcHandler(execute));
  app.all(
    '/mcp',
    checkOrigin(names),
    express.json({ limit: maxBodyBytes }),
    rejectLargeBatches,
    mcp.handler,
    mcpErrors(logger),
  );
  for (const { path, handler } of routes) app.use(path, handler);
  app.use(notFound, jsonErrors(logger));
  return { app, close: mcp.close };
}

function trpcHandler(execute: Execute): RequestHandler {
  return createExpressMiddleware({
    router: createTrpcRouter(execute),
    maxBatchSize: maxCalls,
    maxBodySize: maxBodyBytes,
    createContext: ({ req }) => readCaller((name) => req.get(name)),
    responseMeta: ({ errors }) => {
      const seconds = retryAfterOf(errors);
      return seconds === null ? {} : { headers: new Headers({ 'retry-after': String(seconds) }) };
    },
  });
}

/** One stateless endpoint for protocol 2026-07-28 and the 2025 revisions. Each exchange gets a new server. */
function mcpHandler(execute: Execute, logger: Logger): { handler: RequestHandler; close: () => Promise<void> } {
  const createServer = createMcpServerFactory(execute);
  const mcp = createMcpHandler(
    ({ requestInfo }) => createServer(() => readCaller((name) => requestInfo?.headers.get(name) ?? undefined)),
    {
      maxRequestBodySize: maxBodyBytes,
      // A `subscriptions/listen` is acknowledged and ends at once: the server declares no changes to listen to. Nobody
      // can hold a stream open.
      // The message repeats what the client sent, so only the kind of error is logged.
      onerror: (error) => logger.debug({ kind: error.name }, 'mcp request refused'),
    },
  );
  const serve = toNodeHandler(mcp, { maxRequestBodySize: maxBodyBytes });
  return { handler: (req, res) => serve(req, res, req.body), close: () => mcp.close() };
}
