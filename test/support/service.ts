import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { pino } from 'pino';
import { inject } from 'vitest';
import { createServiceApp, type ServiceApp, type ServiceAppOptions } from '../../src/service/app.js';
import { assessmentsJob } from '../../src/service/assessment/continue-assessments.js';
import { hashSecret, makeApiKey } from '../../src/service/auth/api-key.js';
import type { Plan, Role } from '../../src/service/auth/caller.js';
import { hashPassword } from '../../src/service/auth/password.js';
import { createSessionTokens } from '../../src/service/auth/session-token.js';
import type { Database, Transaction } from '../../src/service/db/database.js';
import { UploadJobs, type UploadJobsOptions } from '../../src/service/uploads/upload-jobs.js';
import { testDatabase } from './database.js';
import { patientLimits } from './patient-limits.js';
import { testReceipts } from './receipts.js';
import { testSecrets } from './secrets.js';
import { startJob } from './start-job.js';

/** The answer to a call; `body` is the parsed JSON, a list of a file of lines. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

interface TestMember {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** A session token, valid for an hour. */
  readonly session: string;
}

export interface TestOrganisation {
  readonly id: string;
  readonly plan: Plan;
  readonly admin: TestMember;
  readonly member: TestMember;
  readonly readKey: string;
  readonly readKeyId: string;
  readonly writeKey: string;
  readonly writeKeyId: string;
}

export interface TestService {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly database: Database;
  readonly jwtKey: Uint8Array;
  readonly operatorKey: string;
  readonly uploads: UploadJobs;
  /** The folder of large bodies. */
  readonly uploadsFolder: string;
  /** All log lines so far, as text. */
  readonly log: () => string;
  /**
   * Sends one request. `credential` becomes the Bearer token; null sends none. `body` is sent as JSON, a string or bytes
   * unchanged; undefined sends none. `headers` take precedence.
   */
  readonly call: (
    credential: string | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
  /** The way of a gateway in the same process. */
  readonly inProcess: ServiceApp['call'];
  /** Creates an organisation, so that each test has separate data. */
  readonly newOrganisation: (options?: { readonly plan?: Plan }) => Promise<TestOrganisation>;
  /** Adds a member to an organisation. */
  readonly newMember: (organisationId: string, role: Role) => Promise<TestMember>;
  readonly close: () => Promise<void>;
}

type Options = Partial<
  Pick<
    ServiceAppOptions,
    | 'auditReads'
    | 'canMail'
    | 'counters'
    | 'database'
    | 'docs'
    | 'gatewaySecret'
    | 'issuer'
    | 'limits'
    | 'nextSync'
    | 'operatorRoutes'
    | 'registries'
    | 'resolveTxt'
    | 'trustProxy'
    | 'signIn'
    | 'webhookHosts'
  > & { readonly jwtKey: Uint8Array }
> & {
  /** Goes on with unfinished verdicts and alerts, as the program does. */
  readonly assessing?: boolean;
  readonly uploading?: Partial<Pick<UploadJobsOptions, 'transfer' | 'workers' | 'memoryMb' | 'patienceMs'>>;
};

/** One password for all test members, because hashing is slow on purpose. */
const password = randomBytes(12).toString('hex');
let passwordHash: Promise<string> | undefined;

/** Starts the real service on a free port of 127.0.0.1 with the shared test database. */
export async function startService(options: Options = {}): Promise<TestService> {
  const database = options.database ?? (await testDatabase());
  const jwtKey = options.jwtKey ?? randomBytes(32);
  const operatorKey = randomBytes(32).toString('hex');
  const tokens = createSessionTokens([jwtKey]);
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const folder = await mkdtemp(path.join(inject('runFolder'), 'uploads-'));
  const uploads = new UploadJobs({ ...options.uploading, database, logger, folder, isSole: false });
  const assessments = options.assessing === true ? startJob(database, assessmentsJob(database), logger) : undefined;
  const keys = { jwtKeys: [jwtKey], secrets: testSecrets, operatorKey };
  const receipts = await testReceipts(database);
  const { app, call: inProcess } = createServiceApp({
    ...{ limits: patientLimits, ...options, ...keys, receipts, database, logger, uploads },
  });
  const server = createServer(app);
  // A test that computes for long must not find its connection closed.
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the service listens on no port');
  const url = `http://127.0.0.1:${address.port}`;

  async function addMember(tx: Transaction, organisation_id: string, role: Role): Promise<TestMember> {
    const id = randomUUID();
    const [email, name] = [`${role}-${id}@example.com`, `${role} ${id.slice(0, 8)}`];
    passwordHash ??= hashPassword(password);
    const password_hash = await passwordHash;
    await tx.insertInto('members').values({ organisation_id, id, email, name, role, password_hash }).execute();
    const session = { id: randomUUID(), memberId: id, expiresAt: new Date(Date.now() + 3_600_000) };
    await tx
      .insertInto('sessions')
      .values({ organisation_id, id: session.id, member_id: id, expires_at: session.expiresAt })
      .execute();
    return { id, email, name, password, session: await tokens.sign(session) };
  }

  return {
    url,
    database,
    jwtKey,
    operatorKey,
    uploads,
    uploadsFolder: folder,
    log: () => lines.join(''),
    call: callerOf(url),
    inProcess,
    newOrganisation: ({ plan = 'Business' } = {}) =>
      database.system(async (tx) => {
        const id = randomUUID();
        await tx
          .insertInto('organisations')
          .values({ id, name: `organisation ${id}`, plan })
          .execute();
        const [read, write] = [await addKey(tx, id, 'ReadOnly'), await addKey(tx, id, 'ReadWrite')];
        return {
          id,
          plan,
          admin: await addMember(tx, id, 'admin'),
          member: await addMember(tx, id, 'member'),
          readKey: read.key,
          readKeyId: read.id,
          writeKey: write.key,
          writeKeyId: write.id,
        };
      }),
    newMember: (organisationId, role) => database.system((tx) => addMember(tx, organisationId, role)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await uploads.close();
      await assessments?.stop();
    },
  };
}

/** A function that calls the REST API at a base address. */
export function callerOf(url: string): TestService['call'] {
  return async (credential, method, path, body, headers = {}) => {
    const raw = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        // A large upload is answered when it is done, on a loaded machine too.
        ...(method === 'POST' && { prefer: 'wait=60' }),
        ...headers,
      },
      ...(body !== undefined && { body: raw ? Buffer.from(body) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status, headers: answered } = response;
    if (answered.get('content-type') === 'application/x-ndjson') {
      const lines = text.split('\n');
      if (lines.pop() !== '') throw new Error('the last line has no end');
      return { status, headers: answered, body: lines.map((line): unknown => JSON.parse(line)) };
    }
    return { status, headers: answered, body: text === '' ? undefined : JSON.parse(text) };
  };
}

async function addKey(tx: Transaction, organisation_id: string, scope: 'ReadOnly' | 'ReadWrite') {
  const [id, key] = [randomUUID(), makeApiKey()];
  await tx
    .insertInto('api_keys')
    .values({
      organisation_id,
      id,
      name: `${scope} key`,
      scope,
      key_hash: hashSecret(key),
      last_four: key.slice(-4),
      created_by: 'the tests',
    })
    .execute();
  return { id, key };
}
