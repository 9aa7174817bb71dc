import { codeOfError } from '../../shared/errors/code-of-error.js';
import { ProjectOccupied } from '../db/project-occupied.js';
import { ApiError } from './api-error.js';

/** SQLSTATE `lock_not_available`. */
const lockNotAvailable = '55P03';

export function isLockTimeout(error: unknown): boolean {
  return codeOfError(error) === lockNotAvailable;
}

interface DatabaseFailure {
  /** SQLSTATEs (PostgreSQL, Appendix A), and codes of sockets. */
  readonly codes: RegExp;
  readonly detail: string;
  readonly retryAfterSeconds: number;
}

/** What a later attempt may not meet. An operator must act on some of it; then the answer says so, and the log has the cause. */
const failures: readonly DatabaseFailure[] = [
  {
    // disk_full, out_of_memory, configuration_limit_exceeded, io_error.
    codes: /^(?:53[124]00|58030|ENOSPC|EDQUOT)$/,
    detail: 'the database has no space left or its disk fails: its operator must look; reading may still work',
    retryAfterSeconds: 60,
  },
  {
    codes: /^25006$/,
    detail: 'the database is read-only: its operator must make it writable; reading works',
    retryAfterSeconds: 60,
  },
  {
    // Wrong user or password, no such database: it was right when the service started.
    codes: /^(?:28...|3D000)$/,
    detail: 'the database does not let this service in: its operator must look',
    retryAfterSeconds: 60,
  },
  {
    // Connections (class 08), too many of them, a server that restarts, timeouts of locks and statements, deadlocks,
    // serialisation failures. And sockets that fail.
    codes:
      /^(?:08...|53300|57P0[1235]|57014|55P03|40P01|40001|25P0[34]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/,
    detail: 'the database is busy or away: try again',
    retryAfterSeconds: 1,
  },
];

/** Errors of `pg` and of the embedded database's thread about a connection that is gone. They have no code. */
const lostConnection =
  /^(?:Client has encountered a connection error|Connection terminated|Client was closed|timeout exceeded when trying to connect|The embedded database has stopped)/;

/** A failure of the database that may pass, as 503; undefined for any other error. */
export function transientFailure(error: unknown): ApiError | undefined {
  if (error instanceof ProjectOccupied) {
    const detail = 'a large upload to this project is being written: try again in a while';
    return new ApiError('unavailable', { detail, retryAfterSeconds: 5 });
  }
  const code = codeOfError(error) ?? (error instanceof Error && lostConnection.test(error.message) ? '08006' : '');
  const failure = failures.find(({ codes }) => codes.test(code));
  if (failure === undefined) return undefined;
  const { detail, retryAfterSeconds } = failure;
  return new ApiError('unavailable', { detail, retryAfterSeconds });
}
