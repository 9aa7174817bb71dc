/** Every way in which a call can fail, on both faces; `errors.ts` has the table. A file of its own, as the client's types need no more. */
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
