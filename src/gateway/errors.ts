import type { TRPC_ERROR_CODE_KEY } from '@trpc/server';
import * as z from 'zod';
import type { Access, Procedure } from '../procedures/define.js';
import { type Likely, problem, quotaText, type Reason, reasons } from '../procedures/problem.js';
import { fieldErrorsText } from '../shared/schema/parse-input.js';
import type { ErrorCode, FieldError } from './error-code.js';
import { knownFields } from './known-fields.js';
import { namedText, notFoundText, shownNames } from './upstream/not-found-text.js';
import type { UpstreamOutcome } from './upstream/outcome.js';

/** The one table from an error code to tRPC's. The messages are below, the same for both transports. */
export const trpcCodes = {
  unauthenticated: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  plan_required: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  invalid_input: 'BAD_REQUEST',
  rate_limited: 'TOO_MANY_REQUESTS',
  upstream_error: 'BAD_GATEWAY',
  unavailable: 'SERVICE_UNAVAILABLE',
  timeout: 'GATEWAY_TIMEOUT',
} as const satisfies Record<ErrorCode, TRPC_ERROR_CODE_KEY>;

interface Details {
  /** What the caller may have meant. */
  readonly likely?: Likely | undefined;
  readonly reason?: Reason | undefined;
  readonly fields?: readonly FieldError[];
  readonly retryAfterSeconds?: number | null;
}

/** A call that failed. Code and message are the gateway's: they contain no text of the service but names, cleaned. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly reason: Reason | null;
  readonly likely: Likely;
  readonly fields: readonly FieldError[];
  readonly retryAfterSeconds: number | null;

  constructor(code: ErrorCode, message: string, { reason, likely, fields, retryAfterSeconds }: Details = {}) {
    super(message);
    this.name = 'GatewayError';
    this.code = code;
    this.reason = reason ?? null;
    this.likely = likely ?? [];
    this.fields = fields ?? [];
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

export class CallerLeft extends Error {
  override readonly name = 'CallerLeft';
}

/** The message is the specification's. `reason` says what would be right, where the service says it. */
export function unauthenticated(reason?: Reason): GatewayError {
  return new GatewayError('unauthenticated', 'authentication failed', { reason });
}

export function invalidInput(fields: readonly FieldError[]): GatewayError {
  const text = fields.length > 0 ? fieldErrorsText(fields) : 'the service does not accept this input';
  return new GatewayError('invalid_input', text, { fields });
}

/** What an error message can use of the call. */
export interface FailedCall {
  readonly procedure: Procedure;
  /** The caller's input, validated, in wire form. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  readonly limitMs: number;
}

/** The parts of an error body that the gateway acts on. A code that it does not know is ignored. */
const readProblem = z.object({
  code: problem.shape.code.optional().catch(undefined),
  resource: problem.shape.resource.catch(undefined),
  reason: problem.shape.reason.catch(undefined),
  likely: problem.shape.likely.catch(undefined),
  removal: problem.shape.removal.catch(undefined),
  quota: problem.shape.quota.catch(undefined),
  errors: z
    .array(
      z
        .object({
          field: z.string(),
          reason: problem.shape.reason.catch(undefined),
          known: z.array(z.string()).catch([]),
        })
        .nullable()
        .catch(null),
    )
    .catch([]),
});

type ReadProblem = z.output<typeof readProblem>;

const noProblem: ReadProblem = {
  code: undefined,
  resource: undefined,
  reason: undefined,
  likely: undefined,
  removal: undefined,
  quota: undefined,
  errors: [],
};

export function toError(
  outcome: Exclude<UpstreamOutcome, { kind: 'answered' }>,
  call: FailedCall,
): GatewayError | CallerLeft {
  switch (outcome.kind) {
    case 'unreadable':
      return notUnderstood(call.procedure.access, call.requestId);
    case 'unreachable':
    case 'circuit_open':
      return new GatewayError(
        'unavailable',
        `the service cannot be reached; try again shortly (request ${call.requestId})`,
        { retryAfterSeconds: outcome.kind === 'circuit_open' ? outcome.retryAfterSeconds : 1 },
      );
    case 'broken':
      return couldNotAnswer(call);
    case 'ended':
      return outcome.by === 'caller' ? new CallerLeft() : timedOut(call);
  }
}

export function toStatusError(
  { status, body, retryAfterSeconds }: Extract<UpstreamOutcome, { kind: 'answered' }>,
  call: FailedCall,
): GatewayError {
  const { data: reported = noProblem } = readProblem.safeParse(body);
  switch (status) {
    case 400:
    case 422:
      return invalidInput(
        reported.errors.flatMap((error) => (error === null ? [] : fieldErrors(call.procedure, error))),
      );
    case 401:
      return unauthenticated(reported.reason);
    case 403:
      return reported.code === 'plan_required'
        ? new GatewayError(
            'plan_required',
            'this needs a Business or Enterprise subscription (Enterprise for export_sbom)',
          )
        : forbidden(reported);
    case 404:
      return new GatewayError('not_found', notFoundText(call.input, reported), {
        reason: reported.reason,
        likely: reported.likely,
      });
    case 409:
      return conflict(reported.reason, reported);
    case 412:
      return conflict(reported.reason ?? 'revision_mismatch');
    case 413:
      return new GatewayError('invalid_input', 'the input is too large for the service');
    case 429:
      return rateLimited(retryAfterSeconds);
    case 503:
      if (reported.reason === 'issuer_unreachable') return issuerUnreachable(retryAfterSeconds);
      return statusUnavailable(retryAfterSeconds, call);
    default:
      return status >= 500 ? couldNotAnswer(call) : notUnderstood(call.procedure.access, call.requestId);
  }
}

/** Reasons for which a good credential is refused. */
const refusals: ReadonlySet<Reason> = new Set<Reason>(['several_organisations', 'not_member', 'insufficient_scope']);

/** Without such a reason, the message is the specification's. */
function forbidden({ reason, likely }: Pick<ReadProblem, 'reason' | 'likely'>): GatewayError {
  if (reason === undefined || !refusals.has(reason))
    return new GatewayError('forbidden', 'this API key is read-only or lacks permission');
  return new GatewayError('forbidden', withNames(reasons[reason], likely), { reason, likely });
}

function withNames(text: string, likely: Likely = []): string {
  const named = namedText(likely);
  return named === '' ? text : `${text}: ${named}`;
}

function conflict(
  reason: Reason | undefined,
  { removal, quota, likely }: Pick<ReadProblem, 'removal' | 'quota' | 'likely'> = noProblem,
): GatewayError {
  if (reason === 'quota_exceeded' && quota !== undefined)
    return new GatewayError('conflict', quotaText(quota), { reason });
  const numbers = removal === undefined ? '' : `${removal.removed} of ${removal.of} would go: `;
  const text = reason === undefined ? 'it conflicts with what is already there' : `${numbers}${reasons[reason]}`;
  return new GatewayError('conflict', withNames(text, likely), { reason, likely });
}

export function rateLimited(retryAfterSeconds: number | null): GatewayError {
  const message = `too many requests: retry ${whenText(retryAfterSeconds)}`;
  return new GatewayError('rate_limited', message, { retryAfterSeconds });
}

/** A call that was not begun, because too many are waiting. */
export function busy(retryAfterSeconds: number, requestId: string): GatewayError {
  return unavailable(`retry ${whenText(retryAfterSeconds)}`, retryAfterSeconds, requestId);
}

/** A service that says when to come back has not done what it was asked. */
function statusUnavailable(retryAfterSeconds: number | null, call: FailedCall): GatewayError {
  if (retryAfterSeconds !== null) return busy(retryAfterSeconds, call.requestId);
  return unavailable(retryAdvice(call), null, call.requestId);
}

function unavailable(advice: string, retryAfterSeconds: number | null, requestId: string): GatewayError {
  const message = `the service is busy or away; ${advice} (request ${requestId})`;
  return new GatewayError('unavailable', message, { retryAfterSeconds });
}

function issuerUnreachable(retryAfterSeconds: number | null): GatewayError {
  const reason = 'issuer_unreachable';
  const message = `${reasons[reason]}; retry ${whenText(retryAfterSeconds)}`;
  return new GatewayError('unavailable', message, { reason, retryAfterSeconds });
}

function whenText(retryAfterSeconds: number | null): string {
  return retryAfterSeconds === null ? 'later' : `after ${retryAfterSeconds} s`;
}

function fieldErrors(procedure: Procedure, error: NonNullable<ReadProblem['errors'][number]>): FieldError[] {
  const field = knownFields(procedure.input, error.field);
  const known = shownNames(error.known).join(', ');
  const message =
    error.reason === undefined
      ? 'is not accepted by the service'
      : `${reasons[error.reason]}${known === '' ? '' : `; known are: ${known}`}`;
  return field === null ? [] : [{ field, message, code: error.reason ?? 'not_accepted' }];
}

function couldNotAnswer(call: FailedCall): GatewayError {
  return new GatewayError(
    'upstream_error',
    `the service could not answer; ${retryAdvice(call)} (request ${call.requestId})`,
  );
}

function timedOut(call: FailedCall): GatewayError {
  const seconds = call.limitMs / 1000;
  return new GatewayError(
    'timeout',
    `the service did not answer within ${seconds} s; ${retryAdvice(call)} (request ${call.requestId})`,
  );
}

/** The error for an answer that does not match the API. A retry would get the same. */
export function notUnderstood(access: Access, requestId: string): GatewayError {
  const done = access === 'read' ? '' : ' whether the change was made is not known;';
  return new GatewayError(
    'upstream_error',
    `the service gave an answer that cannot be understood;${done} a retry will not help (request ${requestId})`,
  );
}

function retryAdvice({ procedure }: FailedCall): string {
  return procedure.access === 'read'
    ? 'a retry may help'
    : 'whether the change was made is not known: look before you retry';
}
