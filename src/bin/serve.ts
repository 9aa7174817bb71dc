import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Environment } from '../env.js';
import { createGatewayApp } from '../gateway/app.js';
import { createLogger } from '../gateway/logger.js';
import { serviceAddress } from '../gateway/service-address.js';
import { shutDown } from '../gateway/shutdown.js';
import { createUpstream } from '../gateway/upstream.js';
import { forwardedAddress, signedAddress } from '../shared/http/client-address.js';
import { openService } from './embedded-service.js';
import { welcome } from './welcome.js';

/** Runs the gateway until SIGINT or SIGTERM. The service runs in this process unless SERVICE_API_URL is set. */
export async function serve(environment: Environment): Promise<void> {
  const { SERVICE_API_URL, PUBLIC_URL, LOG_LEVEL, TRUST_PROXY, GATEWAY_SECRET } = environment;
  const logger = createLogger(LOG_LEVEL, 1);
  // A service in this process believes this gateway alone; one elsewhere has the same GATEWAY_SECRET or its own TRUST_PROXY.
  const ownSecret = GATEWAY_SECRET ?? randomBytes(32).toString('hex');
  const gatewaySecret = SERVICE_API_URL === undefined ? ownSecret : GATEWAY_SECRET;
  const service = SERVICE_API_URL === undefined ? await openService(environment, logger, ownSecret) : null;
  const server = createServer();
  try {
    const url = await listen(server, environment);
    const upstream = createUpstream({
      address: serviceAddress.parse(SERVICE_API_URL ?? url),
      addressHeaders: gatewaySecret === undefined ? forwardedAddress : signedAddress(gatewaySecret),
    });
    const gateway = createGatewayApp({
      upstream,
      logger,
      allowedHosts: PUBLIC_URL === undefined ? [] : [new URL(PUBLIC_URL).hostname],
      trustProxy: TRUST_PROXY,
      routes: service === null ? [] : [service.route],
    });
    // In the same tick as `listening`, so that no request can have come before.
    server.on('request', gateway.app);
    const first = (await service?.begin(url)) ?? null;
    process.stdout.write(
      welcome({
        url: PUBLIC_URL ?? url,
        upstream: SERVICE_API_URL ?? null,
        first,
        dataDir: environment.DATA_DIR,
        isTerminal: process.stdout.isTTY,
      }),
    );
    await stopSignal();
    logger.info('stopping: no new requests, running ones may finish');
    const closers = [gateway.close, () => upstream.close()];
    logger.info({ outcome: await shutDown({ server, closers }) }, 'stopped');
  } finally {
    server.close();
    await service?.close();
  }
}

async function listen(server: Server, { HOST, PORT }: Environment): Promise<string> {
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
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}
