import {
  type Problem,
  type ProblemCode,
  problemStatus,
  type Reason,
  type Resource,
  reasons,
} from '../../procedures/problem.js';

type Details = Pick<Problem, 'detail' | 'resource' | 'reason' | 'errors' | 'quota' | 'removal'> & {
  readonly retryAfterSeconds?: number;
};

/** A request that the service answers with an error: thrown by handlers, turned into problem+json by the HTTP layer. */
export class ApiError extends Error {
  readonly code: ProblemCode;
  readonly details: Details;

  constructor(code: ProblemCode, details: Details = {}) {
    super(details.detail ?? code);
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return problemStatus[this.code];
  }
}

/** It does not exist, or this caller may not know that it exists. */
export function notFound(resource: Resource): ApiError {
  return new ApiError('not_found', { resource });
}

export function conflict(reason: Reason): ApiError {
  return new ApiError('conflict', { reason, detail: reasons[reason] });
}

/** A field that passes its schema but cannot be used, for example `packages.3.version`. */
export function invalidField(field: string, reason: Reason): ApiError {
  return new ApiError('invalid_input', { errors: [{ field, message: reasons[reason], reason }] });
}

/** Rejects an update of something that has changed since the caller read it. */
export function requireRevision(current: number, expected: number | undefined): void {
  if (expected !== undefined && expected !== current) {
    throw new ApiError('revision_mismatch', { reason: 'revision_mismatch', detail: reasons.revision_mismatch });
  }
}
