import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';
import { pino } from 'pino';
import { createGatewayApp } from '../../src/gateway/app.js';
import { redaction } from '../../src/gateway/logger.js';
import { serviceAddress } from '../../src/gateway/upstream/service-address.js';
import { createUpstream } from '../../src/gateway/upstream/upstream.js';
import { createServiceApp, type ServiceAppOptions } from '../../src/service/app.js';
import type { Database } from '../../src/service/db/database.js';
import { signedCaller } from '../../src/shared/http/forwarded-caller.js';
import { root } from './build.js';
import { testDatabase } from './database.js';
import { patientLimits } from './patient-limits.js';
import { testReceipts } from './receipts.js';
import { testSecrets } from './secrets.js';
import { callerOf, startService, type TestService } from './service.js';
import { portOf } from './upstream.js';

/** The whole server: `url` is the gateway's, and `call` goes to its REST API. */
export interface TestPostern extends TestService {
  /** All log lines of gateway and service so far, as text. */
  readonly log: () => string;
  /** A stop begins with this. */
  readonly drain: () => void;
}

/** Starts gateway and service on one port of 127.0.0.1 as `postern serve` does, with the shared test database. */
export async function startPostern(
  options: {
    readonly canMail?: boolean;
    readonly database?: Database;
    readonly limitMs?: number;
    readonly trustProxy?: number;
    readonly watchEveryMs?: number;
  } & Partial<Pick<ServiceAppOptions, 'issuer' | 'resolveTxt' | 'signIn'>> = {},
): Promise<TestPostern> {
  const database = options.database ?? (await testDatabase());
  const jwtKey = randomBytes(32);
  const operatorKey = randomBytes(32).toString('hex');
  const gatewaySecret = randomBytes(32).toString('hex');
  const { trustProxy = 0, canMail = false, issuer, resolveTxt, signIn } = options;
  const lines: string[] = [];
  const logger = pino({ level: 'debug', ...redaction }, { write: (line: string) => lines.push(line) });
  // Creates organisations whose sessions this server accepts. Its port is not used.
  const service = await startService({ database, jwtKey });

  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${portOf(server.address())}`;
  const { app: api, call: inProcess } = createServiceApp({
    ...{ database, operatorKey, logger, gatewaySecret, trustProxy, canMail, docs: path.join(root, 'dist/docs') },
    ...{ jwtKeys: [jwtKey], secrets: testSecrets, uploads: service.uploads, limits: patientLimits },
    receipts: await testReceipts(database),
    ...(issuer !== undefined && { issuer }),
    ...(resolveTxt !== undefined && { resolveTxt }),
    ...(signIn !== undefined && { signIn }),
  });
  const upstream = createUpstream({
    address: serviceAddress.parse(url),
    callerHeaders: signedCaller(gatewaySecret),
    inProcess,
  });
  const gateway = createGatewayApp({
    upstream,
    logger,
    trustProxy,
    limits: patientLimits,
    routes: [{ path: '/', handler: api }],
    ...(options.limitMs !== undefined && { limitMs: options.limitMs }),
    ...(options.watchEveryMs !== undefined && { watchEveryMs: options.watchEveryMs }),
  });
  server.on('request', gateway.app);

  return {
    ...service,
    url,
    drain: gateway.drain,
    operatorKey,
    log: () => lines.join(''),
    call: callerOf(url),
    async close() {
      server.closeAllConnections();
      server.close();
      await gateway.close();
      await upstream.close();
      await service.close();
    },
  };
}
