import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { CallLimits, type CallLimitsOptions } from './call-limits.js';
import type { CallWatch } from './call-record.js';
import { download } from './download/download.js';
import { createExecute } from './execute.js';
import { checkOrigin, crossOrigin } from './http/cross-origin.js';
import { dashboard as dashboardPages } from './http/dashboard.js';
import { jsonErrors, mcpErrors, notFound } from './http/http-errors.js';
import { createObserve } from './http/observe.js';
import { probes } from './http/probes.js';
import { receiptKeys, receiptKeysPath } from './http/receipt-keys.js';
import {
  allowedNames,
  beginAnswer,
  flatJson,
  giveAddress,
  maxBodyBytes,
  oneHost,
  ownHost,
  readJson,
  rejectUnless,
  smallBatch,
} from './http/request-checks.js';
import { createAskWhoCalls } from './mcp/known-caller.js';
import {
  metadataPaths,
  type ProtectedResource,
  requireGoodToken,
  requireScope,
  resourceMetadata,
} from './mcp/protected-resource.js';
import { createSdkWay } from './mcp/sdk-way.js';
import { createShortWay } from './mcp/short-way.js';
import { createToolsets } from './mcp/toolsets.js';
import type { CreateMcpWay } from './mcp/way.js';
import { trpcDoor } from './trpc/route.js';
import type { Upstream } from './upstream/upstream.js';

export interface GatewayOptions extends CallWatch, CallLimitsOptions {
  readonly upstream: Upstream;
  readonly logger: Logger;
  /** Host names that it answers to, without port: of the public address and others. The loopback names are always allowed. */
  readonly allowedHosts?: readonly string[];
  /** Origins of other sites whose pages may call /trpc and /mcp, as browsers write them. */
  readonly allowedOrigins?: ReadonlySet<string>;
  /** The address at which browsers know the server: the origin of its own pages, beside that of the request. */
  readonly publicUrl?: string | undefined;
  /** The OAuth issuer whose tokens the service takes; none if absent. */
  readonly oauth?: ProtectedResource | undefined;
  /** Whether /readyz says no because the service of this process is not begun. By default it never is. */
  readonly isStarting?: () => boolean;
  /** Time limit of a call, in milliseconds. */
  readonly limitMs?: number;
  /** Milliseconds in which something of an upload or a document must move, or its answer come. */
  readonly transferIdleMs?: number;
  /** Milliseconds between two looks at what a caller of MCP waits for; the usual ones if absent. */
  readonly watchEveryMs?: number;
  /** How many proxies in front are believed about the caller's address. */
  readonly trustProxy?: number;
  /** Folder of the built dashboard. Absent or without a page: there is none, and `/` answers 404. */
  readonly dashboard?: string | undefined;
  /** Folder of the package that is handed out at /download. Absent: none is. */
  readonly packageFolder?: string | undefined;
  /** Other routes, such as the embedded API. They are served behind the same Host check and with the same errors. */
  readonly routes?: ReadonlyArray<{ readonly path: string; readonly handler: RequestHandler }>;
  /** The ways through MCP, the first that answers a request. By default the short way, then the SDK's. */
  readonly mcpWays?: ReadonlyArray<CreateMcpWay>;
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
  allowedOrigins = new Set(),
  publicUrl,
  oauth,
  isStarting = () => false,
  limitMs = 10_000,
  transferIdleMs = 60_000,
  trustProxy = 0,
  watchEveryMs,
  dashboard,
  packageFolder,
  routes = [],
  mcpWays = [createShortWay, createSdkWay],
  onCall,
  traced,
  ...limitOptions
}: GatewayOptions): Gateway {
  const watch = { ...(onCall !== undefined && { onCall }), ...(traced !== undefined && { traced }) };
  const limits = new CallLimits(limitOptions);
  const observe = createObserve({ logger, ...watch });
  const execute = createExecute({ upstream, observe, limitMs, limits });
  const toolsets = createToolsets();
  const ways = mcpWays.map((createWay) => createWay({ execute, toolsets, logger, watchEveryMs }));
  const names = allowedNames(allowedHosts);
  const origins = { names, allowed: allowedOrigins };
  let draining = false;

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  app.use(beginAnswer(() => draining));
  app.use(probes({ upstream, isStarting, isDraining: () => draining }));
  app.use(rejectUnless(oneHost, ownHost(names)));
  app.use(
    '/trpc',
    trpcDoor({ execute, transfers: { upstream, observe, limits, idleMs: transferIdleMs }, logger, origins, publicUrl }),
  );
  app.use([...metadataPaths, receiptKeysPath], crossOrigin('any'));
  app.use('/mcp', crossOrigin(allowedOrigins));
  app.get(receiptKeysPath, giveAddress, receiptKeys(execute));
  if (oauth !== undefined) app.get(metadataPaths, resourceMetadata(oauth));
  app.all(
    '/mcp',
    checkOrigin(origins),
    giveAddress,
    oauth === undefined ? [] : requireGoodToken(oauth, createAskWhoCalls(execute)),
    readJson(maxBodyBytes),
    rejectUnless(flatJson, smallBatch),
    oauth === undefined ? [] : requireScope(oauth, toolsets),
    ways.map(({ handler }) => handler),
    mcpErrors(logger),
  );
  for (const { path, handler } of routes) app.use(path, handler);
  if (packageFolder !== undefined) app.use(download(packageFolder));
  if (dashboard !== undefined) app.use(dashboardPages(dashboard));
  app.use(notFound, jsonErrors(logger));
  const drain = () => {
    draining = true;
    for (const way of ways) way.drain?.();
  };
  return {
    app,
    drain,
    close: async () => {
      for (const way of ways) await way.close();
    },
  };
}
