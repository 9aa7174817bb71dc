import { createTRPCClient, httpBatchLink, type TRPCClient, TRPCClientError } from '@trpc/client';
import type { inferRouterError, inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import superjson from 'superjson';
import type { ErrorCode } from '../gateway/error-code.js';
import type { AppRouter } from '../gateway/trpc.js';

export { renewSession, type SessionExpiry, signIn, signOut } from './session.js';
export type { AppRouter, ErrorCode };

/** Inputs by group and member: `RouterInputs['alerts']['list']`. */
export type RouterInputs = inferRouterInputs<AppRouter>;

/** Outputs by group and member, timestamps as `Date`. */
export type RouterOutputs = inferRouterOutputs<AppRouter>;

export type PosternClient = TRPCClient<AppRouter>;

/** An error that the gateway answered; `data.failure` says what went wrong. */
export type PosternError = TRPCClientError<AppRouter> & { readonly data: inferRouterError<AppRouter>['data'] };

/** Calls in one request; the gateway rejects more. */
const maxBatch = 10;

export interface PosternClientOptions {
  /** The gateway's address, as `https://posture.example.com`. */
  readonly url: string;
  /** An API key or a member token, or a function that gives one for each request. */
  readonly credential?: string | (() => string | Promise<string>);
  readonly fetch?: typeof fetch;
}

/** A typed client of the gateway. Calls made in the same tick are sent in one request. */
export function createPosternClient({
  url,
  credential,
  fetch = globalThis.fetch,
}: PosternClientOptions): PosternClient {
  return createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: `${url.replace(/\/+$/, '')}/trpc`,
        transformer: superjson,
        maxItems: maxBatch,
        headers: async (): Promise<Record<string, string>> => {
          const secret = typeof credential === 'function' ? await credential() : credential;
          return secret === undefined ? {} : { authorization: `Bearer ${secret}` };
        },
        // tRPC's request type allows `signal: undefined`, `fetch` only null.
        fetch: (input, init) => fetch(input, init && { ...init, signal: init.signal ?? null }),
      }),
    ],
  });
}

/** Whether the gateway answered this error. False where there was no answer, as when the network is down. */
export function isPosternError(error: unknown): error is PosternError {
  return (
    error instanceof TRPCClientError && typeof error.data === 'object' && error.data !== null && 'failure' in error.data
  );
}
