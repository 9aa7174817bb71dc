import { TRPCClientError } from '@trpc/client';
import type { inferRouterError } from '@trpc/server';
import superjson from 'superjson';
import type { AppRouter } from '../gateway/trpc/app-router.js';

/** An error that the gateway answered; `data.failure` says what went wrong. */
export type PosternError = TRPCClientError<AppRouter> & { readonly data: inferRouterError<AppRouter>['data'] };

/**
 * Whether the gateway answered this error. False where there was no answer, as when the network is down. It asks for the form of
 * the error, not for its class: an app may have another copy of @trpc/client than this package has.
 */
export function isPosternError(error: unknown): error is PosternError {
  return error instanceof Error && error.name === 'TRPCClientError' && 'data' in error && hasFailure(error.data);
}

function hasFailure(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'failure' in data && typeof data.failure === 'string';
}

/** The error of an answer outside of calls, as calls have it: `isPosternError` where the gateway wrote it. */
export function errorOf(status: number, body: unknown): TRPCClientError<AppRouter> {
  const error = fieldOf(fieldOf(body, 'error'), 'json');
  if (!hasFailure(fieldOf(error, 'data'))) {
    return new TRPCClientError(`the answer (${status}) is not one of the gateway`);
  }
  return TRPCClientError.from({ error: superjson.deserialize({ json: Object(error) }) });
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
