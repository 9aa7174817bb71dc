import type { EndedBy } from './deadline.js';

/** The outcome of a request. Nothing else of the answer is read: no other header reaches a caller. */
export type UpstreamOutcome =
  /** A status with a JSON body; error statuses may come without one (`undefined`). */
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: unknown;
      readonly retryAfterSeconds: number | null;
    }
  /** Not an answer of the API: a redirect, no JSON, incomplete JSON, too large. */
  | { readonly kind: 'unreadable' }
  /** No connection was made: the service has not received the request. */
  | { readonly kind: 'unreachable' }
  /** The connection broke before the answer was complete: the service may have acted. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'ended'; readonly by: EndedBy };
