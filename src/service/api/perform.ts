import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Procedure } from '../../procedures/define.js';
import { fromRequest } from '../../shared/http/request-parts.js';
import { isRecord } from '../../shared/json/is-record.js';
import { describeInvalid } from '../../shared/schema/describe-invalid.js';
import { recordAudit } from '../audit/record-audit.js';
import type { Caller } from '../auth/caller.js';
import type { Database, Transaction } from '../db/database.js';
import { ApiError } from '../http/api-error.js';
import type { Context, PublicContext } from './handler.js';
import { answerOnce } from './idempotency.js';

/** An answer in wire form. */
export type Answer = Readonly<Record<string, unknown>>;

/**
 * A handler whose input type is unknown here, in a loop over all procedures. Method syntax makes the parameters
 * bivariant. That is safe: each input has passed the schema of the same procedure.
 */
interface AnyHandler {
  answer(ctx: Context | PublicContext, input: unknown): Promise<unknown>;
  read(input: unknown): Promise<AnyHandler['write']>;
  write(ctx: Context | PublicContext): Promise<unknown>;
}
export type BoundHandler = AnyHandler['answer'] | Pick<AnyHandler, 'read'>;

/** A procedure and what answers it. */
export interface Bound {
  /** As `alerts.list`. */
  readonly name: string;
  readonly procedure: Procedure;
  readonly handler: BoundHandler;
}

/** Where the input of a request lies, besides its body. */
interface RequestPlaces {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** A request of a known caller, without its body. It can be sent to another thread. */
export interface CallerRequest extends RequestPlaces {
  readonly caller: Caller;
  readonly ip: string | null;
  readonly requestId: string;
  /** The Idempotency-Key, and the hash of method, URL and body. */
  readonly idempotency: { readonly key: string; readonly requestHash: Buffer } | null;
}

export interface Performed {
  readonly answer: Answer;
  /** It is the answer to an earlier request with this Idempotency-Key. */
  readonly replayed: boolean;
}

/** A valid input and the step that uses it. */
export interface Read {
  readonly handle: AnyHandler['write'];
  /** The project that the input names. */
  readonly projectId: string | undefined;
}

/**
 * Validates the input and lets a handler of two steps read it. That of a large body can be released afterwards: its handler
 * keeps only what it needs to write. Throws `ApiError`.
 *
 * @param revise changes the input before it is validated
 */
export async function readInput(
  { procedure, handler }: Bound,
  { path, query }: RequestPlaces,
  body: unknown,
  revise: (input: unknown) => unknown = (input) => input,
): Promise<Read> {
  const parsed = procedure.input.safeParse(revise(fromRequest(procedure, { path, query, body })));
  if (!parsed.success) throw new ApiError('invalid_input', { errors: describeInvalid(procedure.input, parsed.error) });
  const input = parsed.data;
  const handle: Read['handle'] =
    typeof handler === 'function' ? (ctx) => handler(ctx, input) : await handler.read(input);
  return { handle, projectId: projectIdOf(input) };
}

/**
 * Writes what has been read and answers it, in one transaction of the caller's organisation. With an Idempotency-Key this is
 * done once. `finish` writes what belongs to the answer, in the same transaction.
 */
export async function perform(
  database: Database,
  { name, procedure }: Bound,
  request: CallerRequest,
  { handle, projectId }: Read,
  finish: (tx: Transaction, answer: Answer) => Promise<void> = async () => {},
): Promise<Performed> {
  const { caller, ip, requestId, idempotency } = request;
  const { organisationId, kind, id } = caller;
  // Of two scans, the one written last must be the newer one: after a large body has waited, arrived and been read.
  const now = new Date();
  return database.tenant(organisationId, async (tx) => {
    const actor = { kind, id, name: caller.name };
    const origin = { organisationId, projectId, actor, ip, requestId };
    const ctx: Context = { tx, caller, organisationId, now, audit: (event) => recordAudit(tx, origin, event) };
    const run = async () => encode(procedure, await handle(ctx));
    const performed =
      idempotency === null
        ? { answer: await run(), replayed: false }
        : await answerOnce(tx, { organisationId, callerId: id, procedure: name, ...idempotency }, now, run);
    await finish(tx, performed.answer);
    return performed;
  });
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
  return z.encode(procedure.output, z.record(z.string(), z.unknown()).parse(answer));
}
