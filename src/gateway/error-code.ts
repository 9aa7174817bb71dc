/** Every way in which a call can fail, on both transports. `errors.ts` has the table. The client's types import this file alone. */
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
