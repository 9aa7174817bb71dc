import { getTRPCErrorShape, type TRPC_ERROR_CODE_KEY, TRPCError } from '@trpc/server';
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from 'pino';
import superjson from 'superjson';
import { endEarly } from '../../shared/http/answer-early.js';
import type { Caller } from '../caller.js';
import type { ErrorCode } from '../error-code.js';
import { CallerLeft, GatewayError } from '../errors.js';
import { answerErrors } from '../http/http-errors.js';
import { type BuiltRouter, retryAfterOf, toTrpcError } from './trpc.js';

interface Options {
  readonly router: BuiltRouter;
  readonly logger: Logger;
  readonly callerOf: (req: Request, res: Response) => Caller;
}

/** tRPC's code and ours for what is rejected before it becomes a call, by HTTP status. */
const rejections: Readonly<Record<number, readonly [TRPC_ERROR_CODE_KEY, ErrorCode]>> = {
  400: ['BAD_REQUEST', 'invalid_input'],
  403: ['FORBIDDEN', 'forbidden'],
  404: ['NOT_FOUND', 'not_found'],
  413: ['PAYLOAD_TOO_LARGE', 'invalid_input'],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'invalid_input'],
};

/** Every failure under /trpc has the form of tRPC's errors, whoever finds it: clients know no other. */
export function trpcErrors({ router, logger, callerOf }: Options): ErrorRequestHandler[] {
  const { _config: config } = router._def;
  const bodyOf = (error: TRPCError, ctx: Caller) => {
    const shape = getTRPCErrorShape({ config, error, type: 'unknown', path: undefined, input: undefined, ctx });
    return { status: shape.data.httpStatus, body: { error: superjson.serialize(shape) } };
  };
  const ofCalls: ErrorRequestHandler = (error: unknown, req, res, next) => {
    if (res.headersSent || !(error instanceof GatewayError || error instanceof CallerLeft)) return next(error);
    const failure = toTrpcError(error);
    const retryAfter = retryAfterOf([failure]);
    if (retryAfter !== null) res.set('retry-after', String(retryAfter));
    const { status, body } = bodyOf(failure, callerOf(req, res));
    endEarly(res.status(status).type('json'), JSON.stringify(body));
  };
  const ofRequests = answerErrors(logger, ({ status, message }, { req, res }) => {
    const [code, failure] = rejections[status] ?? ['INTERNAL_SERVER_ERROR', 'upstream_error'];
    const cause = new GatewayError(failure, message);
    return bodyOf(new TRPCError({ code, message, cause }), callerOf(req, res)).body;
  });
  return [ofCalls, ofRequests];
}
