import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Procedure } from '../../procedures/define.js';
import { fromRequest } from '../../shared/http/request-parts.js';
import { isRecord } from '../../shared/json/is-record.js';
import { parseInput } from '../../shared/schema/parse-input.js';
import { type RequestOrigin, recordAudits } from '../audit/record-audit.js';
import { actorOf, type Caller } from '../auth/caller.js';
import { requireProject, tenantFor } from '../auth/permissions.js';
import type { Database, Transaction } from '../db/database.js';
import { ApiError } from '../http/api-error.js';
import { questionOf, requireOwnCursor } from '../http/list-order.js';
import { type Answer, type Performed, wireAnswer } from './answer.js';
import type { Context, LandingContext, LinesContext, PublicContext, SteppedContext } from './handler.js';
import { answerOnce } from './idempotency.js';
import { land } from './land.js';

/**
 * A handler whose input type is unknown here, in a loop over all procedures. Method syntax makes the parameters
 * bivariant. That is safe: each input has passed the schema of the same procedure.
 */
interface AnyHandler {
  answer(ctx: AnyContext, input: unknown): Promise<unknown>;
  read(input: unknown): Promise<AnyHandler['write']>;
  write(ctx: AnyContext): Promise<unknown>;
}
type AnyContext = Context | PublicContext | SteppedContext | LinesContext<unknown> | LandingContext<Answer>;
export type BoundHandler = AnyHandler['answer'] | Pick<AnyHandler, 'read'>;

/** A procedure and what answers it. */
export interface Bound {
  /** As `alerts.list`. */
  readonly name: string;
  readonly procedure: Procedure;
  readonly handler: BoundHandler;
}

/** The parameters of a request's path and query, which name things as its body does. */
export interface RequestParameters {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** A request of a known caller, without its body. It can be sent to another thread. */
export interface CallerRequest extends RequestParameters, RequestOrigin {
  readonly caller: Caller;
  readonly requestId: string;
  /** The Idempotency-Key, and the hash of method, URL and body. */
  readonly idempotency: { readonly key: string; readonly requestHash: Buffer } | null;
}

/** A valid input and the step that uses it. */
export interface Read {
  readonly handle: AnyHandler['write'];
  /** The project that the input names. */
  readonly projectId: string | undefined;
  /** As `Context.question`. */
  readonly question: string;
}

/**
 * Validates the input and lets a handler of two steps read it. That of a large body can be released afterwards: its handler
 * keeps only what it needs to write. Throws `ApiError`.
 *
 * @param revise changes the input before it is validated
 */
export async function readInput(
  { name, procedure, handler }: Bound,
  { path, query }: RequestParameters,
  body: unknown,
  revise: (input: unknown) => unknown = (input) => input,
): Promise<Read> {
  const parsed = parseInput(procedure.input, revise(fromRequest(procedure, { path, query, body })));
  if (!parsed.ok) {
    const errors = parsed.errors.map(({ field, message }) => ({ field, message }));
    throw new ApiError('invalid_input', { errors });
  }
  const input = parsed.data;
  const isList = 'cursors' in procedure.input.shape;
  const asked = {
    projectId: projectIdOf(input),
    question: isList ? questionOf(name, input) : name,
  };
  if (isList) requireOwnCursor(asked.question, input);
  if (typeof handler === 'function') return { ...asked, handle: (ctx) => handler(ctx, input) };
  return { ...asked, handle: await handler.read(input) };
}

/** The job that performs a request. */
interface PerformingJob {
  readonly id: string;
  /** Writes what belongs to an answer, in the transaction that makes it. */
  readonly finish: (tx: Transaction, answer: Answer) => Promise<void>;
}

/**
 * Writes what has been read and answers it: a report or a stack as it lands (`land.ts`), all else in one transaction,
 * of the caller's organisation.
 * With an Idempotency-Key this is done once.
 */
export async function perform(
  database: Database,
  { name, procedure }: Bound,
  { caller, ip, device, requestId, idempotency }: CallerRequest,
  { handle, projectId, question }: Read,
  job?: PerformingJob,
): Promise<Performed> {
  requireProject(projectId, caller);
  const { organisationId, id } = caller;
  const tenant = tenantFor(name, caller);
  // Of two scans, the one written last must be the newer one: after a large body has waited, arrived and been read.
  const now = new Date();
  const origin = { organisationId, projectId, actor: actorOf(caller), ip, device, requestId };
  const within = (tx: Transaction): Context => {
    const auditAll: Context['auditAll'] = (events) => recordAudits(tx, origin, events);
    return { tx, caller, organisationId, now, question, audit: (event) => auditAll([event]), auditAll };
  };
  const keyed = idempotency === null ? null : { organisationId, callerId: id, procedure: name, ...idempotency };
  const once = async (tx: Transaction, run: () => Promise<unknown>): Promise<Performed> => {
    const answered = async () => {
      const answer = encode(procedure, await run());
      await job?.finish(tx, answer);
      return answer;
    };
    if (keyed === null) return { answer: await answered(), replayed: false };
    return answerOnce(tx, { ...keyed, answersSecret: procedure.answersSecret === true }, now, answered);
  };
  const waiting = { maxWaitMs: database.requestWaitMs };
  if (procedure.transactions === 'own') {
    const open = procedure.access === 'read' ? database.read.bind(database) : database.tenant.bind(database);
    const step: SteppedContext['step'] = (work) => open(tenant, (tx) => work(within(tx)), waiting);
    const answer = encode(procedure, await handle({ caller, organisationId, now, ip, device, requestId, step }));
    return { answer, replayed: false };
  }
  if (procedure.access === 'read' && keyed === null) {
    const answer = await database.read(tenant, async (tx) => encode(procedure, await handle(within(tx))), waiting);
    return { answer, replayed: false };
  }
  if (procedure.maxBytes === undefined || projectId === undefined) {
    return database.tenant(tenant, (tx) => once(tx, () => handle(within(tx))), waiting);
  }
  const project = { organisationId, projectId, uploadId: job?.id };
  const isSmall = job === undefined;
  return land({ database, tenant, project, keyed, once, isSmall }, (landing) =>
    handle({ caller, organisationId, now, question, within, landing, waitMs: database.requestWaitMs }),
  );
}

/** SHA-256 of method, URL and body: by it a repetition of a request is known. */
export function requestHash(method: string, url: string, sha256OfBody: Buffer): Buffer {
  return createHash('sha256').update(`${method} ${url}\n`).update(sha256OfBody).digest();
}

function projectIdOf(input: unknown): string | undefined {
  return isRecord(input) && typeof input['project_id'] === 'string' ? input['project_id'] : undefined;
}

/** The wire form of an answer. One that does not fit its schema fails here, before its transaction commits. */
export function encode(procedure: Procedure, answer: unknown): Answer {
  return z.encode(procedure.output, wireAnswer.parse(answer));
}
