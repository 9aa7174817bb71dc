import type { EndedBy } from '../deadline.js';

/** Why an answer is not one of the API. */
type UnreadableCause = 'redirect' | 'not_json' | 'bad_json' | 'too_large';

/** The outcome of a request. Nothing else of the answer is read: no other header reaches a caller. */
export type UpstreamOutcome =
  /** A status with a JSON body; error statuses may come without one (`undefined`). */
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: unknown;
      readonly retryAfterSeconds: number | null;
    }
  /** Not an answer of the API. `status` is null where none was read. */
  | { readonly kind: 'unreadable'; readonly cause: UnreadableCause; readonly status: number | null }
  /** No connection was made: the service has not received the request. `code` is the system's, such as ECONNREFUSED. */
  | { readonly kind: 'unreachable'; readonly code: string | null }
  /** The connection broke before the answer was complete: the service may have acted. */
  | { readonly kind: 'broken'; readonly code: string | null }
  /** The service was away a moment ago, and was not asked again. */
  | { readonly kind: 'circuit_open'; readonly retryAfterSeconds: number }
  | { readonly kind: 'ended'; readonly by: EndedBy };
