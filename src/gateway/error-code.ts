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
