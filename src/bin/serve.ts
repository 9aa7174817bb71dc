import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Environment, EnvironmentError, limitsOf, oauthOf } from '../env.js';
import { createGatewayApp } from '../gateway/app.js';
import { shutDown } from '../gateway/http/shutdown.js';
import { createLogger } from '../gateway/logger.js';
import { type ServiceAddress, serviceAddress } from '../gateway/upstream/service-address.js';
import { createUpstream } from '../gateway/upstream/upstream.js';
import { forwardedAddress, signedCaller } from '../shared/http/forwarded-caller.js';
import { eventLoop } from '../shared/limits/event-loop.js';
import { openSharedCounters } from '../shared/limits/shared-counters.js';
import { openService } from './embedded-service.js';
import { openTelemetry } from './telemetry/open.js';
import { welcome } from './welcome.js';

/** The folder of this package, wherever it was started from. */
const packageFolder = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../..' : '..', import.meta.url));

const builtDashboard = path.join(packageFolder, 'dist/web');

/** Runs the gateway until SIGINT or SIGTERM. The service runs in this process unless SERVICE_API_URL is set. */
export async function serve(environment: Environment): Promise<void> {
  const { SERVICE_API_URL, PUBLIC_URL, LOG_LEVEL, REDIS_URL, TRUST_PROXY, GATEWAY_SECRET } = environment;
  // Where the audit log goes to the standard output, nothing else does.
  const output = environment.AUDIT_SINK === 'stdout' ? process.stderr : process.stdout;
  const logger = createLogger(LOG_LEVEL, output.fd);
  const limits = limitsOf(environment);
  const oauth = oauthOf(environment);
  const counters =
    REDIS_URL === undefined
      ? null
      : await openSharedCounters(REDIS_URL, (kind) =>
          logger.warn({ kind }, 'Redis is away: this instance counts alone'),
        );
  const telemetry = await openTelemetry(environment, logger);
  const { metrics } = telemetry;
  // A service in this process believes this gateway alone; one elsewhere has the same GATEWAY_SECRET or its own TRUST_PROXY.
  const ownSecret = GATEWAY_SECRET ?? randomBytes(32).toString('hex');
  const gatewaySecret = SERVICE_API_URL === undefined ? ownSecret : GATEWAY_SECRET;
  const parts = { metrics, counters, gatewaySecret: ownSecret };
  const service = SERVICE_API_URL === undefined ? await openService(environment, logger, parts) : null;
  /** Where the gateway calls the service of this process: its running calls still need it when the public port is closed. */
  const inner = createServer();
  if (service !== null) inner.on('request', service.route.handler);
  const server = createServer({ keepAliveTimeout: environment.KEEP_ALIVE_SECONDS * 1_000 });
  server.on('connection', eventLoop.arrived);
  try {
    const url = await listen(server, environment);
    const serviceUrl = SERVICE_API_URL ?? (await listen(inner, { HOST: '127.0.0.1', PORT: 0 }));
    const upstream = createUpstream({
      address: addressOf(serviceUrl),
      callerHeaders: gatewaySecret === undefined ? forwardedAddress : signedCaller(gatewaySecret),
      inProcess: service?.call,
    });
    telemetry.metrics?.watchUpstream(upstream);
    let isStarting = service !== null;
    const gateway = createGatewayApp({
      upstream,
      logger,
      limits,
      shared: counters === null || REDIS_URL === undefined ? null : { counters, secret: REDIS_URL },
      allowedHosts: [...environment.ALLOWED_HOSTS, ...(PUBLIC_URL === undefined ? [] : [new URL(PUBLIC_URL).hostname])],
      allowedOrigins: environment.ALLOWED_ORIGINS,
      publicUrl: PUBLIC_URL,
      oauth,
      isStarting: () => isStarting,
      dashboard: builtDashboard,
      packageFolder,
      trustProxy: TRUST_PROXY,
      routes: service === null ? [] : [service.route],
      ...telemetry.watch,
    });
    // In the same tick as `listening`, so that no request can have come before.
    server.on('request', gateway.app);
    const first = (await service?.begin(url)) ?? null;
    isStarting = false;
    // Before anybody can know that it is ready.
    const stopping = stopSignal();
    output.write(
      welcome({
        url: PUBLIC_URL ?? url,
        hasDashboard: existsSync(path.join(builtDashboard, 'index.html')),
        upstream: SERVICE_API_URL ?? null,
        first,
        dataDir: environment.DATA_DIR,
        mcpRouter: path.join(packageFolder, 'dist/mcp-router.js'),
        isTerminal: output.isTTY,
      }),
    );
    const signal = await stopping;
    logger.info('stopping: no new requests, running ones may finish');
    // A person at the keyboard waits for nobody's balancer.
    const drainMs = signal === 'SIGINT' ? 0 : environment.DRAIN_SECONDS * 1_000;
    const closers = [gateway.close, () => upstream.close()];
    logger.info({ outcome: await shutDown({ server, drain: gateway.drain, drainMs, closers }) }, 'stopped');
  } finally {
    server.close();
    inner.close();
    inner.closeAllConnections();
    await service?.close();
    await telemetry.close();
    await counters?.close();
  }
}

/** The address that SERVICE_API_URL gives. */
function addressOf(url: string): ServiceAddress {
  const parsed = serviceAddress.safeParse(url);
  if (parsed.success) return parsed.data;
  throw new EnvironmentError(`SERVICE_API_URL ${parsed.error.issues[0]?.message ?? 'is no address'}`);
}

async function listen(server: Server, { HOST, PORT }: Pick<Environment, 'HOST' | 'PORT'>): Promise<string> {
  server.listen(PORT, HOST);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://${loopbackOf(HOST)}:${address.port}`;
}

/** The address by which this machine reaches a server that listens on HOST. A wildcard cannot be called. */
function loopbackOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Waits for the first signal. A second one ends the process immediately, because the handlers are removed. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve(signal);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}
