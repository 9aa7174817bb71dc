import type * as z from 'zod';
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

/** The log and the metrics record this of a request that the service did not serve. None of it is the service's text. */
export interface UpstreamFault {
  readonly kind:
    | 'error_status'
    | 'redirect'
    | 'not_json'
    | 'bad_json'
    | 'too_large'
    | 'wrong_shape'
    | 'unreachable'
    | 'broken'
    | 'circuit_open'
    | 'timeout';
  /** HTTP status, where one was read. */
  readonly status?: number;
  /** The system's error code, such as ECONNREFUSED. */
  readonly code?: string;
  /** The first field of an answer that does not fit, as `alerts.3.tier`, and what would fit. */
  readonly field?: string;
  readonly expected?: string;
}

/** The fault of an outcome; null where there is none: a success, an error of the caller's, or a caller who left. */
export function faultOf(outcome: UpstreamOutcome): UpstreamFault | null {
  switch (outcome.kind) {
    case 'answered':
      return outcome.status >= 500 ? { kind: 'error_status', status: outcome.status } : null;
    case 'unreadable':
      return { kind: outcome.cause, ...(outcome.status !== null && { status: outcome.status }) };
    case 'unreachable':
    case 'broken':
      return { kind: outcome.kind, ...(outcome.code !== null && { code: outcome.code }) };
    case 'circuit_open':
      return { kind: 'circuit_open' };
    case 'ended':
      return outcome.by === 'deadline' ? { kind: 'timeout' } : null;
  }
}

/** The fault of an answer that does not match its schema. Keys of a map may be content, so only names that can be fields are shown. */
export function shapeFault(error: z.ZodError): UpstreamFault {
  const [issue] = error.issues;
  const field = (issue?.path ?? []).map((part) => (/^(?:\d{1,6}|[a-z_]{1,40})$/.test(String(part)) ? part : '*'));
  return {
    kind: 'wrong_shape',
    field: field.join('.').slice(0, 200),
    ...(issue !== undefined && 'expected' in issue && { expected: String(issue.expected).slice(0, 60) }),
  };
}
