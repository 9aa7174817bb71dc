import type { Reason } from '../procedures/problem.js';
import type { InvalidCode } from '../shared/schema/parse-input.js';

/** Every way in which a call can fail, on both transports. */
export type ErrorCode =
  | 'unauthenticated'
  | 'forbidden'
  | 'plan_required'
  | 'not_found'
  | 'conflict'
  | 'invalid_input'
  | 'rate_limited'
  | 'upstream_error'
  | 'unavailable'
  | 'timeout';

/** What is wrong with a field: what its schema finds, or the service's reason, or only that it refused it. */
export type FieldCode = InvalidCode | Reason | 'not_accepted';

/** One error in an input. */
export interface FieldError {
  /** Where, as `packages.3.version`; empty for the whole. */
  readonly field: string;
  /** What would be right, in English. */
  readonly message: string;
  /** For texts in a reader's language. */
  readonly code: FieldCode;
}
