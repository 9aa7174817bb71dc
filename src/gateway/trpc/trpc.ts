import { type AnyTRPCProcedure, initTRPC, type TRPC_ERROR_CODE_KEY, TRPCError } from '@trpc/server';
import superjson from 'superjson';
import * as z from 'zod';
import { type AnyProcedure, type Groups, isCallable } from '../../procedures/define.js';
import { procedures } from '../../procedures/index.js';
import type { Caller } from '../caller.js';
import type { ErrorCode } from '../error-code.js';
import { CallerLeft, GatewayError, trpcCodes } from '../errors.js';
import type { Execute } from '../execute.js';
import type { ErrorShape } from './app-router.js';
import { wireInput } from './client-input.js';
import type { RouterRecord } from './router-record.js';

/** Messages for requests that tRPC itself rejects. Its messages would repeat the request's text. */
const rejections: Partial<Record<TRPC_ERROR_CODE_KEY, { readonly failure: ErrorCode; readonly message: string }>> = {
  NOT_FOUND: { failure: 'not_found', message: 'there is no such procedure' },
  PARSE_ERROR: { failure: 'invalid_input', message: 'the request is not valid JSON' },
  BAD_REQUEST: { failure: 'invalid_input', message: 'the request is not a tRPC request with at most 10 calls' },
  PAYLOAD_TOO_LARGE: { failure: 'invalid_input', message: 'the request is larger than 256 kB' },
  METHOD_NOT_SUPPORTED: { failure: 'invalid_input', message: 'a query is a GET, a mutation a POST' },
  UNSUPPORTED_MEDIA_TYPE: { failure: 'invalid_input', message: 'the request must be application/json' },
};

const t = initTRPC.context<Caller>().create({
  transformer: superjson,
  errorFormatter: ({ shape, error, ctx }): ErrorShape => {
    const { code, httpStatus, path } = shape.data;
    const cause = error.cause instanceof GatewayError ? error.cause : null;
    const rejection = rejections[error.code] ?? { failure: 'upstream_error', message: 'the gateway could not answer' };
    return {
      code: shape.code,
      message: cause?.message ?? rejection.message,
      data: {
        code,
        httpStatus,
        path,
        failure: cause?.code ?? rejection.failure,
        reason: cause?.reason ?? null,
        likely: cause?.likely ?? [],
        fields: cause?.fields ?? [],
        retryAfterSeconds: cause?.retryAfterSeconds ?? null,
        requestId: ctx?.requestId ?? null,
      },
    };
  },
});

export function createTrpcRouter(execute: Execute) {
  const record: Record<string, Record<string, AnyTRPCProcedure>> = {};
  for (const [group, members] of Object.entries<Groups[string]>(procedures)) {
    record[group] = Object.fromEntries(
      Object.entries(members)
        .filter(([, procedure]) => isCallable(procedure))
        .map(([name, procedure]) => [name, toTrpcProcedure(`${group}.${name}`, procedure, execute)]),
    );
  }
  // The one bridge between the definitions' types and the loop that builds the router from them.
  return t.router(record as RouterRecord);
}

export type BuiltRouter = ReturnType<typeof createTrpcRouter>;

/** tRPC passes values through: `execute` applies the schemas. Dates are for superjson, which notes where they are. */
function toTrpcProcedure(path: string, procedure: AnyProcedure, execute: Execute): AnyTRPCProcedure {
  const builder = t.procedure.input((input: unknown) => input);
  const resolve = ({ ctx, input, signal }: { ctx: Caller; input: unknown; signal: AbortSignal | undefined }) =>
    execute(procedure, wireInput(procedure, input), { ...ctx, face: 'trpc', path, signal }).then(
      ({ wire }) => z.decode(procedure.output, wire),
      (error: unknown) => {
        throw toTrpcError(error);
      },
    );
  return procedure.access === 'read' ? builder.query(resolve) : builder.mutation(resolve);
}

export function toTrpcError(error: unknown): TRPCError {
  if (error instanceof GatewayError)
    return new TRPCError({ code: trpcCodes[error.code], message: error.message, cause: error });
  return new TRPCError({ code: error instanceof CallerLeft ? 'CLIENT_CLOSED_REQUEST' : 'INTERNAL_SERVER_ERROR' });
}

/** The longest `Retry-After` among a response's errors, in seconds. */
export function retryAfterOf(errors: readonly TRPCError[]): number | null {
  const waits = errors.flatMap(({ cause }) =>
    cause instanceof GatewayError && cause.retryAfterSeconds !== null ? [cause.retryAfterSeconds] : [],
  );
  return waits.length === 0 ? null : Math.max(...waits);
}
