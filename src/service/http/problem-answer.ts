import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { type Problem, type ProblemCode, problemStatus } from '../../procedures/problem.js';
import { endEarly, lingerLimits } from '../../shared/http/answer-early.js';
import { Refusal, rateLimitFields } from '../../shared/limits/refusal.js';
import { ApiError } from './api-error.js';
import { transientFailure } from './database-failure.js';
import { describeFailure } from './describe-failure.js';
import { requestIdOf } from './request-id.js';

export const problemTitles: Record<ProblemCode, string> = {
  invalid_input: 'The input is not valid',
  malformed_request: 'The request is malformed',
  unauthenticated: 'Authentication failed',
  forbidden: 'This credential may not do that',
  plan_required: 'The subscription does not include this',
  not_found: 'Not found',
  method_not_allowed: 'The method is not allowed here',
  too_slow: 'The body arrived too slowly',
  conflict: 'This conflicts with what is there',
  revision_mismatch: 'It was changed in the meantime',
  too_large: 'The body is too large',
  unsupported_media_type: 'The media type is not supported',
  rate_limited: 'Too many requests',
  internal: 'Internal error',
  unavailable: 'Unavailable',
};

/** The body that answers an error: RFC 9457 problem+json. */
export function problemOf(apiError: ApiError, requestId: string | null): Problem {
  const { retryAfterSeconds: _, ...details } = apiError.details;
  return {
    type: `urn:postern:problem:${apiError.code}`,
    title: problemTitles[apiError.code],
    status: apiError.status,
    code: apiError.code,
    ...details,
    ...(requestId !== null && { request_id: requestId }),
  };
}

function sendProblem(res: Response, apiError: ApiError): void {
  const { retryAfterSeconds } = apiError.details;
  const body = problemOf(apiError, requestIdOf(res));
  if (retryAfterSeconds !== undefined) res.set('Retry-After', String(retryAfterSeconds));
  if (apiError.code === 'unauthenticated') res.set('WWW-Authenticate', 'Bearer');
  res.removeHeader('ETag');
  const isSlow = apiError.code === 'too_slow';
  // Its sender is still busy, and may be so for hours.
  if (isSlow) res.set('Connection', 'close');
  res.status(apiError.status).type('application/problem+json');
  endEarly(res, JSON.stringify(body), isSlow ? { ...lingerLimits, ms: 1_000 } : lingerLimits);
}

/** Answers every failed request: `ApiError`s as they are, Express's errors by their status, others as `internal`. */
export function answerProblems(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const apiError = apiErrorOf(error);
    if (error instanceof Refusal && error.standing !== null) res.set(rateLimitFields([error.standing]));
    logFailure(logger, error, requestIdOf(res));
    sendProblem(res, apiError);
  };
}

/** Logs a failure that is the service's own, and that nobody has foreseen. */
export function logFailure(logger: Logger, error: unknown, requestId: string): void {
  if (error instanceof ApiError || apiErrorOf(error).status < 500) return;
  logger.error({ request_id: requestId, failure: describeFailure(error) }, 'request failed');
}

/** What Express throws for a request that it cannot read, by status. */
const frameworkErrors: Readonly<Record<number, ApiError>> = {
  [problemStatus.malformed_request]: new ApiError('malformed_request', {
    detail: 'the URL or the body cannot be read',
  }),
  [problemStatus.too_large]: new ApiError('too_large', { detail: 'the body is larger than this call takes' }),
  [problemStatus.unsupported_media_type]: new ApiError('unsupported_media_type', {
    detail: 'the Content-Encoding is not supported: send gzip, deflate, br or none',
  }),
};

/** Any error as the API names it: what nobody has foreseen is `internal`. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Refusal) return refused(error);
  const status = error instanceof Error && 'status' in error ? Number(error.status) : Number.NaN;
  return frameworkErrors[status] ?? transientFailure(error) ?? new ApiError('internal');
}

function refused({ refusal, message, retryAfterSeconds }: Refusal): ApiError {
  const code = refusal === 'busy' ? 'unavailable' : 'rate_limited';
  return new ApiError(code, { detail: `${message}: send it again in ${retryAfterSeconds} s`, retryAfterSeconds });
}
