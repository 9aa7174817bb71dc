import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { type AnyProcedure, isComposite, type Procedure } from '../../procedures/define.js';
import { procedures } from '../../procedures/index.js';
import { methodOf, pathOf } from '../../shared/http/request-parts.js';
import { addressGroup } from '../../shared/limits/address-group.js';
import { newcomers } from '../../shared/limits/pace.js';
import { authenticate, type RunStatements } from '../auth/authenticate.js';
import type { Caller } from '../auth/caller.js';
import { type GuardedPath, permissions, requirePermission, requireProject } from '../auth/permissions.js';
import type { SessionTokens } from '../auth/session-token.js';
import type { Database } from '../db/database.js';
import { addressOf } from '../http/address.js';
import { inflatesToMany, mayBeLarge, type Receiving, readBody, receiveBody } from '../http/body.js';
import type { ReceivedBytes } from '../http/receive-body.js';
import { requestIdOf } from '../http/request-id.js';
import type { Route } from '../http/routes.js';
import { rejectUnstorableQuery } from '../http/storable-text.js';
import type { Admission } from '../limits/admission.js';
import type { Answer } from './answer.js';
import { auditedRead } from './audited-read.js';
import type { Handlers, PublicContext } from './handler.js';
import { idempotencyKeyOf } from './idempotency.js';
import { type LargeUpload, type LargeUploads, waitOf } from './large-uploads.js';
import {
  type Bound,
  type BoundHandler,
  type CallerRequest,
  encode,
  perform,
  type Read,
  readInput,
  requestHash,
} from './perform.js';
import { setEntityTag, withExpectedRevision } from './revision.js';

export interface BindOptions {
  readonly database: Database;
  readonly tokens: SessionTokens;
  readonly handlers: Handlers;
  readonly admission: Admission;
  readonly logger: Logger;
  readonly receiving: Receiving;
  readonly uploads: LargeUploads;
  /** Reads with an API key leave a row in the audit log. */
  readonly auditReads?: boolean | undefined;
  /** Called with every finished request, for metrics. */
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}

export interface RequestRecord {
  /** `group.member`. */
  readonly procedure: string;
  /** HTTP status; null where the client has left. */
  readonly status: number | null;
  readonly durationMs: number;
}

type AnyHandlers = Readonly<Record<string, Readonly<Record<string, BoundHandler>>>>;

/** The routes of every procedure. */
export function procedureRoutes(options: BindOptions): Route[] {
  const handlers: AnyHandlers = options.handlers;
  return Object.entries(procedures).flatMap(([group, members]) =>
    Object.entries<AnyProcedure>(members).flatMap(([member, procedure]) => {
      if (isComposite(procedure)) return [];
      const handler = handlers[group]?.[member];
      if (handler === undefined) throw new Error(`${group}.${member} has no handler`);
      return [routeOf(`${group}.${member}`, procedure, handler, options)];
    }),
  );
}

function routeOf(name: string, procedure: Procedure, handler: BoundHandler, options: BindOptions): Route {
  const bound = { name, procedure, handler };
  const respond = procedure.public ? answerPublic : answerCaller;
  return {
    method: methodOf(procedure),
    path: pathOf(procedure),
    async answer(req, res) {
      const startedAt = performance.now();
      res.once('close', () => {
        const durationMs = performance.now() - startedAt;
        const duration_ms = Math.round(durationMs);
        options.onRequest?.({ procedure: name, status: res.writableFinished ? res.statusCode : null, durationMs });
        const outcome = res.writableFinished ? { status: res.statusCode } : { disconnected: true };
        options.logger.info({ request_id: requestIdOf(res), procedure: name, ...outcome, duration_ms }, 'request');
      });
      const answer = await respond(bound, req, res, options);
      setEntityTag(res, answer);
      res.json(answer);
    },
  };
}

async function answerPublic(bound: Bound, req: Request, res: Response, options: BindOptions): Promise<Answer> {
  await newcomers.begin(addressGroup(addressOf(req)));
  const body = await bodyOf(bound, req, options);
  const { handle } = await read(bound, req, body);
  const ctx: PublicContext = {
    system: (work) => options.database.system(work, 'newcomers'),
    now: new Date(),
    ip: addressOf(req),
    requestId: requestIdOf(res),
  };
  return encode(bound.procedure, await handle(ctx));
}

async function answerCaller(bound: Bound, req: Request, res: Response, options: BindOptions): Promise<Answer> {
  const { admission, tokens, database } = options;
  return admission.admit(
    { req, res, ownTurns: bound.procedure.maxBytes !== undefined },
    (lane, asked) => {
      const statements: RunStatements = (work) => {
        asked();
        return database.statements(work, lane);
      };
      return authenticate({ statements, tokens }, req.get('authorization'), new Date());
    },
    (caller) => {
      const answer = () => answerAdmitted(bound, caller, req, res, options);
      if (options.auditReads !== true) return answer();
      const { name, procedure } = bound;
      const call = { database, name, procedure, caller, ip: addressOf(req), requestId: requestIdOf(res) };
      return auditedRead(call, answer);
    },
  );
}

/** The body is read after authentication, so that nobody without a credential can fill the disk with 64 MB. */
async function answerAdmitted(
  bound: Bound,
  caller: Caller,
  req: Request,
  res: Response,
  options: BindOptions,
): Promise<Answer> {
  const { name, procedure } = bound;
  requirePermission(permissions[requireGuarded(name)], caller);
  requireProject(req.params['project_id'], caller);
  const key = idempotencyKeyOf(req);
  const disconnected = new AbortController();
  res.once('close', () => disconnected.abort());
  const leave = mayBeLarge(req, procedure)
    ? await options.uploads.enter(caller.organisationId, disconnected.signal)
    : () => {};
  const body = await bodyOf(bound, req, options).finally(leave);
  const request: CallerRequest = {
    caller,
    path: req.params,
    query: req.query,
    ip: addressOf(req),
    requestId: requestIdOf(res),
    idempotency: key === undefined ? null : { key, requestHash: requestHash(req.method, req.originalUrl, body.sha256) },
  };
  const outcome = (await isLarge(procedure, body))
    ? await upload({ bound, request, body, contentType: req.get('content-type') }, req, res, options)
    : await perform(options.database, bound, request, await read(bound, req, body));
  if ('job' in outcome) {
    res.status(202).set('Location', outcome.path);
    return outcome.job;
  }
  if (outcome.replayed) res.set('Idempotency-Replayed', 'true');
  return outcome.answer;
}

async function upload(given: Omit<LargeUpload, 'waitMs'>, req: Request, res: Response, { uploads }: BindOptions) {
  const prefer = req.get('prefer');
  const waitMs = waitOf(prefer);
  if (prefer !== undefined) res.set('Preference-Applied', `wait=${waitMs / 1000}`);
  rejectUnstorableQuery(req.query);
  return uploads.upload({ ...given, waitMs });
}

async function isLarge({ maxBytes }: Procedure, body: ReceivedBytes): Promise<boolean> {
  return 'file' in body || (maxBytes !== undefined && (await inflatesToMany(body.bytes)));
}

async function bodyOf({ procedure }: Bound, req: Request, { receiving }: BindOptions): Promise<ReceivedBytes> {
  const method = methodOf(procedure);
  return method === 'GET' || method === 'DELETE' ? noBody : receiveBody(req, procedure, receiving);
}

const noBody: ReceivedBytes = { size: 0, bytes: Buffer.alloc(0), sha256: Buffer.alloc(0) };

/** Reads the input of a request with a small body. */
async function read(bound: Bound, req: Request, body: ReceivedBytes): Promise<Read> {
  if ('file' in body) throw new Error(`${bound.name} takes no large bodies`);
  rejectUnstorableQuery(req.query);
  const { procedure } = bound;
  const value = await readBody(body.bytes, req.get('content-type'), procedure);
  const isRevised = 'expected_revision' in procedure.input.shape;
  return readInput(bound, { path: req.params, query: req.query }, value, (input) =>
    isRevised ? withExpectedRevision(req, input) : input,
  );
}

function requireGuarded(name: string): GuardedPath {
  if (isGuarded(name)) return name;
  throw new Error(`${name} has no permission`);
}

function isGuarded(name: string): name is GuardedPath {
  return Object.hasOwn(permissions, name);
}
