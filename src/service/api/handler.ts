import type * as z from 'zod';
import type { Procedure } from '../../procedures/define.js';
import type { Requests } from '../../procedures/index.js';
import type { AuditEvent } from '../audit/record-audit.js';
import type { Caller } from '../auth/caller.js';
import type { Database, Transaction } from '../db/database.js';

/** What a handler works with. Everything it does happens in `tx`: committed with the answer, or not at all. */
export interface Context {
  /** One transaction, bound to the caller's organisation by row-level security. */
  readonly tx: Transaction;
  readonly caller: Caller;
  readonly organisationId: string;
  readonly now: Date;
  readonly audit: (event: AuditEvent) => Promise<void>;
}

/**
 * What the handler of a public procedure works with: no caller, and so the system's transaction. It opens one itself,
 * so that hashing a password (tens of milliseconds) holds none: the embedded database has one connection.
 */
export interface PublicContext {
  readonly system: Database['system'];
  readonly now: Date;
  readonly ip: string | null;
  readonly requestId: string;
}

/** Answers a procedure, in code's form (`Date`); the HTTP layer encodes it. Refusals are thrown as `ApiError`. */
export type Handler<P> =
  P extends Procedure<infer _A, infer Input, infer Output, infer Public>
    ? (ctx: Public extends true ? PublicContext : Context, input: z.output<Input>) => Promise<z.output<Output>>
    : never;

/**
 * The handler of an upload, in two steps, since it may be large. `read` makes of the body what is to be written, and holds no
 * transaction meanwhile: the embedded database has one connection. Of the body itself nothing else should be left then.
 */
interface ReadingHandler<P> {
  read(input: InputOf<P>): Promise<(ctx: Context) => Promise<OutputOf<P>>>;
}

type InputOf<P> = P extends Procedure<infer _A, infer Input> ? z.output<Input> : never;
type OutputOf<P> = P extends Procedure<infer _A, infer _I, infer Output> ? z.output<Output> : never;

/** One handler for every procedure: a missing one is a type error. */
export type Handlers = {
  readonly [Group in keyof Requests]: {
    readonly [Member in keyof Requests[Group]]: Member extends `upload${string}`
      ? ReadingHandler<Requests[Group][Member]>
      : Handler<Requests[Group][Member]>;
  };
};
