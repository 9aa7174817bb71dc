import type { EndedBy } from './deadline.js';

/** What came of a request. Nothing of the answer but this is read: no header reaches a caller. */
export type UpstreamOutcome =
  /** A status with a JSON body; error statuses may come without one (`undefined`). */
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: unknown;
      readonly retryAfterSeconds: number | null;
    }
  /** An answer that is not of the API: a redirect, no JSON, cut JSON, too large. */
  | { readonly kind: 'unreadable' }
  /** No connection was made: the service has not seen the request. */
  | { readonly kind: 'unreachable' }
  /** The connection broke before the answer was complete: the service may have acted. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'ended'; readonly by: EndedBy };
