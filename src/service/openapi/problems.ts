import type { Procedure } from '../../procedures/define.js';
import { type ProblemCode, problem, problemStatus } from '../../procedures/problem.js';
import { methodOf } from '../../shared/http/request-parts.js';
import { problemTitles } from '../http/problem-answer.js';
import type { CapturedExamples } from './examples.js';
import { schemaOf } from './schemas.js';

/** Headers of every answer. */
export const answerHeaders = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

/** Headers of answers to callers with a credential: how much of their rates is left. */
export const rateHeaders = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
};

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

export const headers = {
  RequestId: { description: 'The request’s id: the one that was sent, if it is sane', schema: { type: 'string' } },
  RateLimit: {
    description:
      'What is left (r) and when it is whole again (t, seconds), by policy (draft-ietf-httpapi-ratelimit-headers-10)',
    schema: { type: 'string' },
    example: '"credential";r=5999;t=10',
  },
  RateLimitPolicy: {
    description: 'Calls (q) in a window (w, seconds), by policy',
    schema: { type: 'string' },
    example: '"credential";q=6000;w=10',
  },
  RetryAfter: { description: 'Seconds until it may be sent again', schema: { type: 'integer', minimum: 0 } },
  ETag: { description: 'The revision, for If-Match', schema: { type: 'string' }, example: '"3"' },
  Location: { description: 'Where the job is', schema: { type: 'string', format: 'uri-reference' } },
  IdempotencyReplayed: {
    description: 'The answer of an earlier request with this Idempotency-Key',
    schema: { const: 'true' },
  },
  WwwAuthenticate: { description: 'The scheme', schema: { type: 'string' }, example: 'Bearer' },
};

/** Headers of one status beside those of all. */
const headersByStatus: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': { $ref: '#/components/headers/WwwAuthenticate' } },
  429: { ...retryAfter, ...rateHeaders },
  503: retryAfter,
};

/** Those of operations. 405 is the answer where there is none. */
const statuses = [...new Set(Object.values(problemStatus))].filter(
  (status) => status !== problemStatus.method_not_allowed,
);

/** A response for each status that is an error, by its name in the components. */
export function problemResponses({ problems }: CapturedExamples) {
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = codesOf(status);
      const example = problems[status];
      const schema = { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }] };
      return [
        `Problem${status}`,
        {
          description: codes.map((code) => problemTitles[code]).join('; or '),
          headers: { ...answerHeaders, ...headersByStatus[status] },
          content: { 'application/problem+json': { schema, ...(example !== undefined && { example }) } },
        },
      ];
    }),
  );
}

export const problemSchema = schemaOf(problem);

function codesOf(status: number): ProblemCode[] {
  return Object.entries(problemStatus).flatMap(([code, each]) => {
    const parsed = problem.shape.code.safeParse(code);
    return each === status && parsed.success ? [parsed.data] : [];
  });
}

/** The errors that a procedure can answer, as references. */
export function problemsOf(procedure: Procedure): Record<string, { readonly $ref: string }> {
  const { input, access } = procedure;
  const isGuarded = !procedure.public;
  const hasBody = !['GET', 'DELETE'].includes(methodOf(procedure));
  const can: Readonly<Record<(typeof statuses)[number], boolean>> = {
    400: true,
    401: isGuarded || access !== 'read',
    403: isGuarded,
    404:
      Object.keys(input.shape).some((name) => /_ids?$|^(groups?|parent)$/.test(name)) || procedure.http.includes('{'),
    408: hasBody,
    409: access !== 'read',
    412: 'expected_revision' in input.shape,
    413: hasBody,
    415: hasBody,
    422: true,
    429: true,
    500: true,
    503: true,
  };
  return Object.fromEntries(
    statuses
      .filter((status) => can[status])
      .map((status) => [String(status), { $ref: `#/components/responses/Problem${status}` }]),
  );
}
