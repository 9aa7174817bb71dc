import { parse } from 'node:querystring';
import { isCallable, type Procedure } from '../../procedures/define.js';
import { methodOf, pathsOf } from '../../shared/http/request-parts.js';
import { apiErrorOf, logFailure, problemOf } from '../http/problem-answer.js';
import { rejectUnstorableQuery } from '../http/storable-text.js';
import type { Answer } from './answer.js';
import { type AnsweringOptions, type Arrived, asCaller, logRequest, permittedParameters } from './as-caller.js';
import { type Bound, type CallerRequest, perform, readInput } from './perform.js';

/** A request as it would be sent over HTTP. */
interface InProcessRequest extends Omit<Arrived, 'show'> {
  readonly procedure: Procedure;
  /** Path and query, encoded. */
  readonly url: string;
}

interface InProcessAnswer {
  readonly status: number;
  /** A JSON value. */
  readonly body: unknown;
  readonly retryAfterSeconds: number | null;
}

/** Answers a request as over HTTP, errors included. Null for a procedure that is only answered there. Never throws. */
export type CallInProcess = (request: InProcessRequest) => Promise<InProcessAnswer> | null;

/**
 * The way of a gateway in the same process: the same limits, checks, audit and log as over HTTP, without its parsing and sockets.
 * Only for calls that read and have a bounded answer: bodies, documents, idempotency keys and revisions stay with HTTP.
 */
export function callInProcess(all: readonly Bound[], options: AnsweringOptions): CallInProcess {
  const bounds = new Map(
    all.filter(({ procedure }) => isPlainRead(procedure)).map((bound) => [bound.procedure, bound]),
  );
  return (request) => {
    const bound = bounds.get(request.procedure);
    return bound === undefined ? null : answerRequest(bound, request, options);
  };
}

async function answerRequest(
  bound: Bound,
  request: InProcessRequest,
  options: AnsweringOptions,
): Promise<InProcessAnswer> {
  const { requestId } = request;
  const note = logRequest(bound, requestId, options);
  const answered = await read(bound, request, options).then(
    (body) => ({ status: 200, body, retryAfterSeconds: null }),
    (error: unknown) => {
      const apiError = apiErrorOf(error);
      logFailure(options.logger, error, requestId);
      const { retryAfterSeconds = null } = apiError.details;
      return { status: apiError.status, body: problemOf(apiError, requestId), retryAfterSeconds };
    },
  );
  note(request.left.aborted ? null : answered.status);
  return answered;
}

function read(bound: Bound, request: InProcessRequest, options: AnsweringOptions): Promise<Answer> {
  const { url, requestId } = request;
  const { address: ip, userAgent: device } = request.from;
  return asCaller(bound, { ...request, show: () => {} }, options, async (caller) => {
    const sent = partsOf(bound.procedure, url);
    const parameters = await permittedParameters(bound, caller, sent, options);
    rejectUnstorableQuery(sent.query);
    const input = await readInput(bound, parameters, undefined);
    const asked: CallerRequest = { caller, ...parameters, ip, device, requestId, idempotency: null };
    return (await perform(options.database, bound, asked, input)).answer;
  });
}

/** Whether a procedure only reads, and its answer is bounded. */
function isPlainRead(procedure: Procedure): boolean {
  const { access, output } = procedure;
  if (!isCallable(procedure)) return false;
  return access === 'read' && !procedure.public && methodOf(procedure) === 'GET' && !('document' in output.shape);
}

/** As the router and the query parser of the HTTP layer read a URL. */
function partsOf(procedure: Procedure, url: string): Pick<CallerRequest, 'path' | 'query'> {
  const [pathname = '', search = ''] = url.split('?', 2);
  const segments = pathname.split('/');
  const path: Record<string, string> = {};
  // The path over all projects has fewer segments.
  const template = pathsOf(procedure).find((each) => each.split('/').length === segments.length) ?? '';
  for (const [at, part] of template.split('/').entries()) {
    if (part.startsWith('{')) path[part.slice(1, -1)] = decodeURIComponent(segments[at] ?? '');
  }
  return { path, query: parse(search) };
}
