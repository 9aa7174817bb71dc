import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { endEarly } from '../../shared/http/answer-early.js';
import type { ErrorCode } from '../error-code.js';
import type { GatewayError } from '../errors.js';

/** A request that is rejected before it becomes a call. The message is for the caller. */
export class HttpError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
  }
}

/** The HTTP status of a call that failed; 502 for all others. */
const statuses: Partial<Record<ErrorCode, number>> = {
  forbidden: 403,
  not_found: 404,
  rate_limited: 429,
  unavailable: 503,
  timeout: 504,
};

/** A call that failed, as the answer to a request of another kind. Says in the header when to come back. */
export function httpErrorOf({ code, message, retryAfterSeconds }: GatewayError, res: Response): HttpError {
  if (retryAfterSeconds !== null) res.setHeader('retry-after', retryAfterSeconds);
  return new HttpError(statuses[code] ?? 502, message);
}

export const notFound: RequestHandler = (_req, _res, next) =>
  next(new HttpError(404, 'there is nothing at this address'));

/** Status and message for any error. Only our own messages are shown: a parser's repeats the request. */
function describe(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof HttpError) return error;
  const status = error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
  if (status === 413) return { status, message: 'the request is larger than 256 kB' };
  return status >= 400 && status < 500
    ? { status, message: 'the request cannot be read' }
    : { status: 500, message: 'the gateway could not answer' };
}

/** Logs the name, and for a failure of ours the stack. Never the error's fields: a body parser's contain the body. */
function log(logger: Logger, error: unknown, status: number, requestId: string | undefined): void {
  const name = error instanceof Error ? error.name : typeof error;
  if (status < 500) logger.debug({ request_id: requestId, status, kind: name }, 'request refused');
  else
    logger.error(
      { request_id: requestId, status, kind: name, stack: error instanceof Error ? error.stack : undefined },
      'request failed',
    );
}

/** The request that failed. */
interface Failed {
  readonly req: Request;
  readonly res: Response;
  readonly error: unknown;
}

/** Logs every failure outside a call and answers it with the body that `toBody` makes of it. */
export function answerErrors(
  logger: Logger,
  toBody: (failure: ReturnType<typeof describe>, failed: Failed) => object,
): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    const failure = describe(error);
    log(logger, error, failure.status, req.get('x-request-id'));
    if (res.headersSent) next(error);
    else endEarly(res.status(failure.status).type('json'), JSON.stringify(toBody(failure, { req, res, error })));
  };
}

/** Failures as JSON: `{error: {message, request_id}}`. */
export function jsonErrors(logger: Logger): ErrorRequestHandler {
  return answerErrors(logger, ({ message }, { req }) => ({ error: { message, request_id: req.get('x-request-id') } }));
}

/** Failures of /mcp, as a JSON-RPC error without an id: -32700 where JSON could not be read, else -32600 (JSON-RPC 2.0, 5.1). */
export function mcpErrors(logger: Logger): ErrorRequestHandler {
  return answerErrors(logger, ({ status, message }, { error }) => {
    const isParseError = error instanceof Error && 'type' in error && error.type === 'entity.parse.failed';
    const code = status >= 500 ? -32603 : isParseError ? -32700 : -32600;
    return { jsonrpc: '2.0', error: { code, message }, id: null };
  });
}
