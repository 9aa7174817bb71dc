import {
  type Likely,
  likelyName,
  maxLikely,
  type Problem,
  type ProblemCode,
  problemStatus,
  type Reason,
  type Resource,
  reasons,
} from '../../procedures/problem.js';

type Details = Pick<Problem, 'detail' | 'resource' | 'reason' | 'likely' | 'errors' | 'quota' | 'removal'> & {
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

/**
 * Nothing has this name, or several things have it.
 *
 * @param likely what may have been meant, the likeliest first; of it, the caller may see all
 */
export function notNamed(resource: Resource, likely: Likely, reason?: Reason): ApiError {
  const named = shown(likely);
  return new ApiError('not_found', {
    resource,
    ...(reason !== undefined && { reason, detail: reasons[reason] }),
    ...(named.length > 0 && { likely: named }),
  });
}

export function conflict(reason: Reason): ApiError {
  return new ApiError('conflict', { reason, detail: reasons[reason] });
}

/** The credential is good, but not for this. */
export function forbidden(reason: Reason): ApiError {
  return new ApiError('forbidden', { reason, detail: reasons[reason] });
}

/** @param organisations in which the caller, as was just proved, has an account */
export function severalOrganisations(code: 'forbidden' | 'conflict', organisations: Likely): ApiError {
  const reason = 'several_organisations';
  return new ApiError(code, { reason, detail: reasons[reason], likely: shown(organisations) });
}

function shown(likely: Likely): Likely {
  return likely.slice(0, maxLikely).map(({ id, name }) => ({ id, name: likelyName(name) }));
}

/** A field that passes its schema but cannot be used, for example `packages.3.version`. */
export function invalidField(field: string, reason: Reason): ApiError {
  return new ApiError('invalid_input', { errors: [{ field, message: reasons[reason], reason }] });
}

/** A filter's value that nothing has, and some that it could have: an empty list would reassure. */
export function unknownValue(field: string, reason: Reason, known: readonly string[]): ApiError {
  const values = known.slice(0, maxLikely).map(likelyName);
  return new ApiError('invalid_input', { errors: [{ field, message: reasons[reason], reason, known: values }] });
}

/** Rejects an update of something that has changed since the caller read it. */
export function requireRevision(current: number, expected: number | undefined): void {
  if (expected !== undefined && expected !== current) {
    throw new ApiError('revision_mismatch', { reason: 'revision_mismatch', detail: reasons.revision_mismatch });
  }
}
