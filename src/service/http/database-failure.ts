import { ApiError } from './api-error.js';

/** SQLSTATE of a lock that was not free in time. */
const lockNotAvailable = '55P03';

/**
 * What passes by itself: connections (class 08), too many of them (53300), a server that restarts (57P01 to 57P03), a
 * lock or a statement out of time, a deadlock or a serialisation failure; and a socket that does not connect.
 */
const passing = /^(?:08...|53300|57P0[123]|57014|55P03|40P01|40001|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === lockNotAvailable;
}

/** A database's failure that a later attempt may not meet, as 503; undefined for any other error. */
export function refusalOfPassing(error: unknown): ApiError | undefined {
  if (!passing.test(codeOf(error))) return undefined;
  return new ApiError('unavailable', { detail: 'the database is busy or away: try again', retryAfterSeconds: 1 });
}
