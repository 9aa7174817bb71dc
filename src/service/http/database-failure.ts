import { codeOfError } from '../../shared/errors/code-of-error.js';
import { ProjectOccupied } from '../db/project-occupied.js';
import { ApiError } from './api-error.js';

/** SQLSTATE `lock_not_available`. */
const lockNotAvailable = '55P03';

/**
 * Failures that a later attempt may not meet. SQLSTATE: connections (class 08), too many of them (53300), a server that
 * restarts (57P01 to 57P03), timeouts of locks and statements, deadlocks, serialisation failures. And sockets that
 * fail.
 */
const transient = /^(?:08...|53300|57P0[123]|57014|55P03|40P01|40001|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/;

export function isLockTimeout(error: unknown): boolean {
  return codeOfError(error) === lockNotAvailable;
}

/** A transient failure of the database as 503; undefined for any other error. */
export function transientFailure(error: unknown): ApiError | undefined {
  if (error instanceof ProjectOccupied) {
    const detail = 'a large upload to this project is being written: try again in a while';
    return new ApiError('unavailable', { detail, retryAfterSeconds: 5 });
  }
  if (!transient.test(codeOfError(error) ?? '')) return undefined;
  return new ApiError('unavailable', { detail: 'the database is busy or away: try again', retryAfterSeconds: 1 });
}
