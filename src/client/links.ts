import { httpBatchLink, httpBatchStreamLink, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import superjson from 'superjson';
import type { AppRouter } from '../gateway/trpc/app-router.js';
import { addressOf, type CredentialSource, credentialHeaders, type Door } from './door.js';
import { isPosternError, type PosternError } from './errors.js';

type Headers = Readonly<Record<string, string>>;

export interface PosternLinkOptions extends Door {
  readonly credential?: CredentialSource;
  /** Sent with each request, beside the credential. */
  readonly headers?: Headers | (() => Headers | Promise<Headers>) | undefined;
  /** Put before those that are made here, such as tRPC's `loggerLink`. */
  readonly links?: readonly TRPCLink<AppRouter>[] | undefined;
  /** Whether the answers of a batch come one by one, so that a slow call holds up no other. Default: true. */
  readonly streaming?: boolean | undefined;
  /** Further tries of a query which the gateway has told when to come back, within 10 seconds. Default: 2. */
  readonly retry?: number | undefined;
  /** Called where there is no session, or none any more. */
  readonly onUnauthenticated?: ((error: PosternError) => void) | undefined;
}

/** Calls in one request; the gateway rejects more. */
const maxItems = 10;

/** Characters of an address. Many proxies refuse more than 8 kB; what is longer goes in several requests. */
const maxURLLength = 7_000;

/** The links of a client: for `createTRPCClient`, where `createPosternClient` does not do. */
export function posternLinks(options: PosternLinkOptions = {}): TRPCLink<AppRouter>[] {
  const { url, fetch = globalThis.fetch, credential, headers, links = [], streaming = true } = options;
  const { retry = 2, onUnauthenticated } = options;
  const terminating = streaming ? httpBatchStreamLink : httpBatchLink;
  return [
    ...links,
    refuseInvalidDates,
    ...(onUnauthenticated === undefined ? [] : [watchSession(onUnauthenticated)]),
    ...(retry > 0 ? [retryQueries(retry)] : []),
    terminating<AppRouter>({
      ...{ url: addressOf(url), transformer: superjson, maxItems, maxURLLength },
      headers: async () => ({
        ...(typeof headers === 'function' ? await headers() : headers),
        ...(await credentialHeaders(credential)),
      }),
      // tRPC's request type allows `signal: undefined`, `fetch` only null.
      fetch: (input, init) => fetch(input, init && { ...init, signal: init.signal ?? null }),
    }),
  ];
}

/** JSON has null for a date that is none, and a filter that is null is no filter. */
const refuseInvalidDates: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) => {
    const given = typeof op.input === 'object' && op.input !== null ? Object.entries(op.input) : [];
    const [name] = given.find(([, value]) => value instanceof Date && Number.isNaN(value.getTime())) ?? [];
    if (name === undefined) return next(op);
    return observable((observer) => observer.error(new TRPCClientError(`${name} is an invalid Date`)));
  };

/** Tells of answers without a session. That an API key does not do for a call is no end of a session. */
function watchSession(onUnauthenticated: (error: PosternError) => void): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          ...observer,
          error(error) {
            if (isPosternError(error) && error.data.failure === 'unauthenticated' && error.data.reason === null) {
              onUnauthenticated(error);
            }
            observer.error(error);
          },
        }),
      );
}

/** The longest time that a query waits for its next try. */
const maxWaitSeconds = 10;

/** Seconds until a query may be tried again; null where it should not be. */
function waitSeconds(error: unknown): number | null {
  if (!isPosternError(error) || !['rate_limited', 'unavailable'].includes(error.data.failure)) return null;
  const seconds = error.data.retryAfterSeconds;
  return seconds !== null && seconds <= maxWaitSeconds ? seconds : null;
}

/** Only reads are repeated: nobody knows what has become of a write. */
function retryQueries(max: number): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let stop = () => {};
        const begin = (triesLeft: number) => {
          const running = next(op).subscribe({
            ...observer,
            error(error) {
              const seconds = op.type === 'query' && triesLeft > 0 ? waitSeconds(error) : null;
              if (seconds === null) return observer.error(error);
              // Some later: others were told the same.
              const timer = setTimeout(() => begin(triesLeft - 1), seconds * 1_000 * (1 + Math.random() / 4));
              stop = () => clearTimeout(timer);
            },
          });
          stop = () => running.unsubscribe();
        };
        begin(max);
        return () => stop();
      });
}
