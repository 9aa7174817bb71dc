import type * as z from 'zod';
import type { UpstreamOutcome } from './outcome.js';

/** What the log and the metrics say of a request that the service did not serve. None of it is the service's text. */
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
