import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import * as z from 'zod';
import { type AnyProcedure, isComposite, type Procedure } from '../../procedures/define.js';
import { procedures } from '../../procedures/index.js';
import { fromRequest, methodOf, pathOf } from '../../shared/http/request-parts.js';
import { isRecord } from '../../shared/json/is-record.js';
import { describeInvalid } from '../../shared/schema/describe-invalid.js';
import { recordAudit } from '../audit/record-audit.js';
import { authenticate } from '../auth/authenticate.js';
import type { Caller } from '../auth/caller.js';
import { type GuardedPath, permissions, requirePermission } from '../auth/permissions.js';
import type { SessionTokens } from '../auth/session-token.js';
import type { Database, Transaction } from '../db/database.js';
import { addressOf } from '../http/address.js';
import { ApiError } from '../http/api-error.js';
import { type ReceivedBody, readBody, withBodySlot } from '../http/body.js';
import { requestIdOf } from '../http/request-id.js';
import type { Route } from '../http/routes.js';
import { rejectUnstorableQuery } from '../http/storable-text.js';
import { ChangeSetLanding, type Landing } from '../landing/landing.js';
import type { Context, Handlers, LandingContext, PublicContext } from './handler.js';
import { AnsweredBefore, answerOnce, type IdempotentRequest, idempotencyKeyOf, storedAnswer } from './idempotency.js';
import { setEntityTag, withExpectedRevision } from './revision.js';

export interface BindOptions {
  readonly database: Database;
  readonly tokens: SessionTokens;
  readonly handlers: Handlers;
  readonly logger: Logger;
}

type Answer = Readonly<Record<string, unknown>>;

/**
 * A handler whose input type is unknown here, in a loop over all procedures. Method syntax makes the parameters
 * bivariant. That is safe: each input has passed the schema of the same procedure.
 */
interface AnyHandler {
  answer(ctx: AnyContext, input: unknown): Promise<unknown>;
  read(input: unknown): Promise<AnyHandler['write']>;
  write(ctx: AnyContext): Promise<unknown>;
}
type AnyContext = Context | PublicContext | LandingContext<Answer>;
type BoundHandler = AnyHandler['answer'] | Pick<AnyHandler, 'read'>;
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
        const duration_ms = Math.round(performance.now() - startedAt);
        const outcome = res.writableFinished ? { status: res.statusCode } : { disconnected: true };
        options.logger.info({ request_id: requestIdOf(res), procedure: name, ...outcome, duration_ms }, 'request');
      });
      const answer = await respond(bound, req, res, options);
      setEntityTag(res, answer);
      res.json(answer);
    },
  };
}

interface Bound {
  readonly name: string;
  readonly procedure: Procedure;
  readonly handler: BoundHandler;
}

async function answerPublic(bound: Bound, req: Request, res: Response, { database }: BindOptions): Promise<Answer> {
  const { handle } = await receive(bound, req, res);
  const ctx: PublicContext = {
    system: (work) => database.system(work),
    now: new Date(),
    ip: addressOf(req),
    requestId: requestIdOf(res),
  };
  return encode(bound.procedure, await handle(ctx));
}

/** The body is read after authentication, so that nobody without a credential can fill the memory with 64 MB. */
async function answerCaller(bound: Bound, req: Request, res: Response, options: BindOptions): Promise<Answer> {
  const { name, procedure } = bound;
  const caller = await authenticate(options, req.get('authorization'), new Date());
  requirePermission(permissions[requireGuarded(name)], caller);
  const key = idempotencyKeyOf(req);
  return withBodySlot(req, res, procedure, async () => {
    const { handle, projectId, sha256 } = await receive(bound, req, res);
    // Taken after a large body has waited and arrived: of two scans, the one written last must be the newer one.
    const now = new Date();
    const requestHash = createHash('sha256').update(`${req.method} ${req.originalUrl}\n`).update(sha256).digest();
    const { organisationId } = caller;
    const request =
      key === undefined ? undefined : { organisationId, callerId: caller.id, procedure: name, key, requestHash };
    const within = (tx: Transaction) => contextOf(tx, caller, projectId, now, req, res);
    const { answer, replayed } =
      procedure.maxBytes !== undefined && projectId !== undefined
        ? await land({ ...options, request }, procedure, { handle, projectId, caller, now, within })
        : await options.database.tenant(organisationId, (tx) =>
            once(tx, request, now, async () => encode(procedure, await handle(within(tx)))),
          );
    if (replayed) res.set('Idempotency-Replayed', 'true');
    return answer;
  });
}

interface LandingRequest extends Pick<Received, 'handle'> {
  readonly projectId: string;
  readonly caller: Caller;
  readonly now: Date;
  readonly within: (tx: Transaction) => Context;
}

/** Writes a large body in many transactions. Its answer is encoded and kept in the last one. */
async function land(
  { database, request }: Pick<BindOptions, 'database'> & { readonly request: IdempotentRequest | undefined },
  procedure: Procedure,
  { handle, projectId, caller, now, within }: LandingRequest,
): Promise<Answered> {
  const { organisationId } = caller;
  const earlier = request && (await database.tenant(organisationId, (tx) => storedAnswer(tx, request)));
  if (earlier !== undefined) return { answer: earlier, replayed: true };
  const landing = new ChangeSetLanding<Answer>(database, { organisationId, projectId });
  try {
    const finish = (work: (tx: Transaction) => Promise<Answer>) =>
      landing.finish(async (tx) => {
        const { answer, replayed } = await once(tx, request, now, async () => encode(procedure, await work(tx)));
        // The same request has landed meanwhile: this one leaves nothing.
        if (replayed) throw new AnsweredBefore(answer);
        return answer;
      });
    const step: Landing<Answer>['step'] = (work) => landing.step(work);
    const answer = await handle({ caller, organisationId, now, within, landing: { step, finish } });
    return { answer: wireAnswer.parse(answer), replayed: false };
  } catch (error) {
    if (error instanceof AnsweredBefore) return { answer: error.answer, replayed: true };
    throw error;
  } finally {
    await landing.close();
  }
}

interface Answered {
  readonly answer: Answer;
  readonly replayed: boolean;
}

const wireAnswer = z.record(z.string(), z.unknown());

/** Runs a request once for each of its keys; each time where it has none. */
async function once(
  tx: Transaction,
  request: IdempotentRequest | undefined,
  now: Date,
  run: () => Promise<Answer>,
): Promise<Answered> {
  return request === undefined ? { answer: await run(), replayed: false } : answerOnce(tx, request, now, run);
}

interface Received {
  readonly handle: AnyHandler['write'];
  /** The project that the input names. */
  readonly projectId: string | undefined;
  readonly sha256: Buffer;
}

/** Reads the input. That of a large body can be released afterwards: its handler keeps only what it needs to write. */
async function receive({ procedure, handler }: Bound, req: Request, res: Response): Promise<Received> {
  const body = await bodyOf(procedure, req, res);
  const input = inputOf(procedure, req, body);
  const handle: Received['handle'] =
    typeof handler === 'function' ? (ctx) => handler(ctx, input) : await handler.read(input);
  return { handle, projectId: projectIdOf(input), sha256: body.sha256 };
}

function projectIdOf(input: unknown): string | undefined {
  return isRecord(input) && typeof input['project_id'] === 'string' ? input['project_id'] : undefined;
}

function requireGuarded(name: string): GuardedPath {
  if (isGuarded(name)) return name;
  throw new Error(`${name} has no permission`);
}

function isGuarded(name: string): name is GuardedPath {
  return Object.hasOwn(permissions, name);
}

const noBody: ReceivedBody = { value: undefined, sha256: Buffer.alloc(0) };

async function bodyOf(procedure: Procedure, req: Request, res: Response): Promise<ReceivedBody> {
  const method = methodOf(procedure);
  return method === 'GET' || method === 'DELETE' ? noBody : readBody(req, res, procedure);
}

function inputOf(procedure: Procedure, req: Request, body: ReceivedBody): unknown {
  rejectUnstorableQuery(req.query);
  const received = fromRequest(procedure, { path: req.params, query: req.query, body: body.value });
  const revised = 'expected_revision' in procedure.input.shape ? withExpectedRevision(req, received) : received;
  const parsed = procedure.input.safeParse(revised);
  if (!parsed.success) throw new ApiError('invalid_input', { errors: describeInvalid(procedure.input, parsed.error) });
  return parsed.data;
}

function contextOf(
  tx: Transaction,
  caller: Caller,
  projectId: string | undefined,
  now: Date,
  req: Request,
  res: Response,
): Context {
  const { organisationId, kind, id, name } = caller;
  const actor = { kind, id, name };
  const origin = { organisationId, projectId, actor, ip: addressOf(req), requestId: requestIdOf(res) };
  return { tx, caller, organisationId, now, audit: (event) => recordAudit(tx, origin, event) };
}

/** The wire form of an answer. One that does not fit its schema fails here, before its transaction commits. */
function encode(procedure: Procedure, answer: unknown): Answer {
  return z.encode(procedure.output, wireAnswer.parse(answer));
}
