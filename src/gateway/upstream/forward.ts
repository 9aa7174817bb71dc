import * as z from 'zod';
import type { Procedure } from '../../procedures/define.js';
import type { UnavailableReason } from '../../procedures/posture.js';
import { uploadJob, uploads } from '../../procedures/uploads.js';
import { toRequest } from '../../shared/http/request-parts.js';
import { type Caller, type FacedCaller, fromOf } from '../caller.js';
import type { Deadline } from '../deadline.js';
import { GatewayError, notUnderstood, toError, toStatusError } from '../errors.js';
import { faultOf, shapeFault, type UpstreamFault } from './outcome.js';
import type { WireParts } from './request.js';
import type { Upstream } from './upstream.js';

/** What a request to the service needs besides the procedure and its input. */
export interface ForwardOptions {
  readonly upstream: Upstream;
  readonly caller: FacedCaller;
  readonly deadline: Deadline;
  /** The time limit that the deadline began with, for messages. */
  readonly limitMs: number;
  /** Waits until the gateway has time for an answer of the service. */
  readonly nextTurn: () => Promise<void> | undefined;
}

/** What the log reports of the service's part in a call. A composite's requests run concurrently. */
export interface UpstreamWork {
  /** Time of the longest request. */
  upstreamMs: number;
  tries: number;
  /** Why parts of a composite had no answer. */
  readonly unavailable: UnavailableReason[];
  /** How requests of the call failed at the service. */
  readonly faults: UpstreamFault[];
}

/** Nothing asked yet. */
export function noWork(): UpstreamWork {
  return { upstreamMs: 0, tries: 0, unavailable: [], faults: [] };
}

/** Answers the body of a success. `wire` is the valid input in wire form. Throws `GatewayError` or `CallerLeft`. */
export async function forward(
  procedure: Procedure,
  wire: Readonly<Record<string, unknown>>,
  { upstream, caller, deadline, limitMs, nextTurn }: ForwardOptions,
  work: UpstreamWork,
): Promise<unknown> {
  const { requestId, trace, organisation } = caller;
  const failed = { procedure, input: wire, requestId, limitMs };
  const parts = toParts(procedure, wire);
  const credential = procedure.public ? null : caller.credential;
  const startedAt = performance.now();
  const { outcome, tries } = await upstream.send({
    procedure,
    parts,
    credential,
    requestId,
    trace,
    from: fromOf(caller),
    organisation,
    deadline,
  });
  work.upstreamMs = Math.max(work.upstreamMs, performance.now() - startedAt);
  work.tries += tries;
  await nextTurn();
  const fault = faultOf(outcome);
  if (fault !== null) work.faults.push(fault);
  if (outcome.kind !== 'answered') throw toError(outcome, failed);
  if (outcome.status < 200 || outcome.status >= 300) throw toStatusError(outcome, failed);
  if (outcome.status === 202) throw stillRunning(outcome.body, requestId);
  return outcome.body;
}

/** A service may go on with an upload as a job; a call has no answer of that kind. Sending it again would begin another one. */
function stillRunning(body: unknown, requestId: string): GatewayError {
  const { data: job } = uploadJob.safeParse(body);
  const where = job === undefined ? 'uploads.list tells' : `${followText(job)} tell`;
  return new GatewayError(
    'timeout',
    `the service has accepted it and goes on with it: do not send it again; ${where} its state and answer (request ${requestId})`,
  );
}

/** Both ways to follow a job: there is no tool for it. */
function followText({ id: upload_id, project_id }: z.output<typeof uploadJob>): string {
  const input = { project_id, upload_id };
  return `uploads.get ${JSON.stringify(input)} and GET ${toRequest(uploads.get, input).path}`;
}

/** An answer in code's form (`Date` for timestamps). */
export function decode<P extends Procedure>(
  procedure: P,
  body: unknown,
  caller: Caller,
  work: UpstreamWork,
): z.output<P['output']> {
  return accepted(z.safeParse<P['output']>(procedure.output, body), procedure, caller, work);
}

/** What a schema has read of an answer. Throws `GatewayError` where the answer does not fit. */
export function accepted<T>(
  read: z.ZodSafeParseResult<T>,
  { access }: Pick<Procedure, 'access'>,
  { requestId }: Caller,
  work: UpstreamWork,
): T {
  if (read.success) return read.data;
  work.faults.push(shapeFault(read.error));
  throw notUnderstood(access, requestId);
}

/** The request for an input. An input that is no JSON (a document with a cycle or a bigint) is the caller's error. */
function toParts(procedure: Procedure, wire: Readonly<Record<string, unknown>>): WireParts {
  try {
    const { body, ...parts } = toRequest(procedure, wire);
    return { ...parts, body: body === undefined ? null : JSON.stringify(body) };
  } catch {
    throw new GatewayError('invalid_input', 'the input cannot be sent as JSON');
  }
}
