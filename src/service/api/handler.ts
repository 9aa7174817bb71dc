import type * as z from 'zod';
import type { Access, LinesProcedure, Procedure } from '../../procedures/define.js';
import type { Requests } from '../../procedures/index.js';
import type { AuditEvent, RequestOrigin } from '../audit/record-audit.js';
import type { Caller } from '../auth/caller.js';
import type { Database, Transaction } from '../db/database.js';
import type { Landing } from '../landing/landing.js';

/** What a handler works with. All its writes are in `tx`: committed if it answers, rolled back if it throws. */
export interface Context {
  /** One transaction, bound to the caller's organisation by row-level security. */
  readonly tx: Transaction;
  readonly caller: Caller;
  readonly organisationId: string;
  readonly now: Date;
  /** Names the procedure and its filters: what a cursor belongs to (`http/cursor.ts`). */
  readonly question: string;
  readonly audit: (event: AuditEvent) => Promise<void>;
  /** The same for many events at once. */
  readonly auditAll: (events: readonly AuditEvent[]) => Promise<void>;
}

/**
 * What a large body is written with: many short transactions instead of one. The answer is made in the last of them, since
 * it is kept for repetitions of the request in that transaction.
 */
export interface LandingContext<Answer> extends Omit<Context, 'tx' | 'audit' | 'auditAll'> {
  readonly landing: Landing<Answer>;
  /** The context of one of its transactions. */
  readonly within: (tx: Transaction) => Context;
  /** How long the caller may wait for what follows from the landing, in milliseconds. */
  readonly waitMs: number;
}

/**
 * What the handler of a public procedure works with. Without a caller there is no tenant, so it uses system
 * transactions. It opens them itself: hashing a password takes tens of milliseconds, and must not hold the embedded
 * database's one connection.
 */
export interface PublicContext extends RequestOrigin {
  readonly system: Database['system'];
  readonly now: Date;
}

/** What a handler works with that opens its transactions itself (`Procedure.transactions`). */
export interface SteppedContext extends Pick<Context, 'caller' | 'organisationId' | 'now'> {
  readonly ip: string | null;
  readonly device: string | null;
  readonly requestId: string;
  /** One transaction, with what other handlers get. */
  step<T>(work: (ctx: Context) => Promise<T>): Promise<T>;
}

/** What a handler works with whose answer is a file of lines. It sends them in batches, which are in memory one at a time. */
export interface LinesContext<Line> extends Pick<Context, 'organisationId'> {
  /** One transaction that reads. None is open while the caller takes what was read in it. */
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** In a transaction of its own. */
  readonly audit: Context['audit'];
  /** Resolves when the caller has taken most of it. */
  send(batch: readonly Line[]): Promise<void>;
}

/** What a handler works with, by what its procedure's definition declares. */
type ContextOf<P> = P extends LinesProcedure
  ? LinesContext<OutputOf<P>>
  : P extends PublicProcedure
    ? PublicContext
    : P extends OwnTransactionsProcedure
      ? SteppedContext
      : Context;

/** Answers a procedure in decoded form (`Date`); the HTTP layer encodes it. Throws `ApiError` to reject a request. */
type Handler<P> = (ctx: ContextOf<P>, input: InputOf<P>) => Promise<P extends LinesProcedure ? void : OutputOf<P>>;

/**
 * The handler of a procedure with a large body (`maxBytes`), in two steps. `read` validates and normalises the body
 * without a transaction, because the embedded database has one connection. It returns the step that writes, which
 * should keep only what it writes: the body itself is then released.
 */
interface LandingHandler<P> {
  read(input: InputOf<P>): Promise<(ctx: LandingContext<OutputOf<P>>) => Promise<OutputOf<P>>>;
}

/** A landing in the transaction of a context: nobody sees any of it before that is committed. */
export function landingIn<Answer>(ctx: Context): LandingContext<Answer> {
  const { tx, audit: _one, auditAll: _many, ...rest } = ctx;
  return {
    ...rest,
    landing: { step: (work) => work(tx), finish: (work) => work(tx) },
    within: () => ctx,
    waitMs: Number.POSITIVE_INFINITY,
  };
}

type PublicProcedure = Procedure<Access, z.ZodObject, z.ZodObject, true>;

type OwnTransactionsProcedure = Procedure<Access, z.ZodObject, z.ZodObject, boolean, number | undefined, 'own'>;

/** A procedure that sets `maxBytes`. */
type LargeBodyProcedure = Procedure<Access, z.ZodObject, z.ZodObject, boolean, number>;

type InputOf<P> = P extends Procedure<infer _A, infer Input> ? z.output<Input> : never;
type OutputOf<P> = P extends Procedure<infer _A, infer _I, infer Output> ? z.output<Output> : never;

/** One handler for each procedure; a missing one is a type error. */
export type Handlers = {
  readonly [Group in keyof Requests & string]: {
    readonly [Member in keyof Requests[Group] & string]: Requests[Group][Member] extends LargeBodyProcedure
      ? LandingHandler<Requests[Group][Member]>
      : Handler<Requests[Group][Member]>;
  };
};
