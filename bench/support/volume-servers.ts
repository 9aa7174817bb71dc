import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { pino } from 'pino';
import { Pool } from 'undici';
import { createGatewayApp } from '../../src/gateway/app.js';
import { serviceAddress } from '../../src/gateway/service-address.js';
import { createUpstream } from '../../src/gateway/upstream.js';
import { createSessionTokens } from '../../src/service/auth/session-token.js';
import type { Database } from '../../src/service/db/database.js';
import { type DatabaseLocation, openDatabase } from '../../src/service/db/open.js';
import type { VolumeOrganisation } from './fill-organisation.js';
import { buildService, startServiceProcess } from './service-process.js';

interface Call {
  /** GET where there is no body. */
  readonly method?: 'POST' | 'PUT';
  readonly path: string;
  readonly body?: string;
  /** As the member, instead of with the key. */
  readonly asMember?: boolean;
}

/** Answers the body as text; throws where the answer is no success. */
type Ask = (call: Call) => Promise<string>;

export interface VolumeServers {
  readonly service: Ask;
  readonly gateway: Ask;
  readonly close: () => Promise<void>;
}

/** The service in a process of its own and a gateway before it in this one, with callers of the organisation. */
export async function startServers(
  location: DatabaseLocation,
  dataDir: string,
  organisation: VolumeOrganisation,
): Promise<VolumeServers> {
  const secret = randomBytes(32).toString('hex');
  const database = await openDatabase(location);
  const session = await newSession(database, organisation, Buffer.from(secret)).finally(() => database.close());
  Object.assign(process.env, { JWT_SECRET: secret, POSTERN_SAMPLE: 'false' });
  const service = await startServiceProcess(await buildService(), dataDir);
  const logger = pino({ level: 'silent' });
  const upstream = createUpstream({ address: serviceAddress.parse(service.url) });
  const gateway = createGatewayApp({ upstream, logger });
  const front = await listen(gateway.app);
  const asking = [
    askerOf(service.url, organisation.key, session),
    askerOf(front.url, organisation.key, session),
  ] as const;
  return {
    service: asking[0].ask,
    gateway: asking[1].ask,
    async close() {
      for (const { pool } of asking) await pool.close();
      await gateway.close();
      await upstream.close();
      front.server.close();
      await service.close();
    },
  };
}

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, url: `http://127.0.0.1:${address.port}` };
}

function askerOf(url: string, key: string, session: string) {
  // Connections for all parts of a composite at once.
  const pool = new Pool(url, { connections: 5 });
  const ask: Ask = async ({ method, path, body, asMember = false }) => {
    const answer = await pool.request({
      path,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: `Bearer ${asMember ? session : key}`,
        accept: 'application/json, text/event-stream',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 500)}`);
    return text;
  };
  return { pool, ask };
}

async function newSession(database: Database, { id }: VolumeOrganisation, jwtKey: Uint8Array): Promise<string> {
  const member = `mem_${randomBytes(8).toString('hex')}`;
  const session = { id: `ses_${member}`, memberId: member, expiresAt: new Date(Date.now() + 3_600_000) };
  await database.system(async (tx) => {
    const ofMember = { organisation_id: id, id: member, email: `${member}@example.com`, name: 'Volume' };
    await tx
      .insertInto('members')
      .values({ ...ofMember, role: 'admin', password_hash: 'none' })
      .execute();
    await tx
      .insertInto('sessions')
      .values({ organisation_id: id, id: session.id, member_id: member, expires_at: session.expiresAt })
      .execute();
  });
  return createSessionTokens(jwtKey).sign(session);
}
