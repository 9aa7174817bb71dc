import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { Pool } from 'undici';
import { createGatewayApp } from '../../src/gateway/app.js';
import { serviceAddress } from '../../src/gateway/upstream/service-address.js';
import { createUpstream } from '../../src/gateway/upstream/upstream.js';
import { createSessionTokens } from '../../src/service/auth/session-token.js';
import type { Database } from '../../src/service/db/database.js';
import { type DatabaseLocation, openDatabase } from '../../src/service/db/open.js';
import type { VolumeOrganisation } from './fill-organisation.js';
import { listen } from './listen.js';
import { buildService, startServiceProcess } from './service-process.js';

interface Call {
  /** Default: GET without a body, POST with one. */
  readonly method?: 'POST' | 'PUT';
  readonly path: string;
  readonly body?: string;
  /** Sends the member's session instead of the API key. */
  readonly asMember?: boolean;
}

/** Returns the body as text. Throws if the status is not 200. */
type Send = (call: Call) => Promise<string>;

export interface VolumeServers {
  readonly service: Send;
  readonly gateway: Send;
  readonly close: () => Promise<void>;
}

/** Starts the service in another process and a gateway in this one, with callers of the organisation. */
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
  const callers = [
    createCaller(service.url, organisation.key, session),
    createCaller(front.url, organisation.key, session),
  ] as const;
  return {
    service: callers[0].send,
    gateway: callers[1].send,
    async close() {
      for (const { pool } of callers) await pool.close();
      await gateway.close();
      await upstream.close();
      front.server.close();
      await service.close();
    },
  };
}

function createCaller(url: string, key: string, session: string) {
  // One connection for each part of a composite.
  const pool = new Pool(url, { connections: 5 });
  const send: Send = async ({ method, path, body, asMember = false }) => {
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
  return { pool, send };
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
  return createSessionTokens([jwtKey]).sign(session);
}
