import * as z from 'zod';
import type { Procedure } from '../procedures/define.js';
import type { UnavailableReason } from '../procedures/posture.js';
import { toRequest } from '../shared/http/request-parts.js';
import type { Caller } from './caller.js';
import type { Deadline } from './deadline.js';
import { GatewayError, notUnderstood, toError, toStatusError } from './errors.js';
import type { Upstream, WireParts } from './upstream.js';

/** What a request to the service needs besides the procedure and its input. */
export interface ForwardOptions {
  readonly upstream: Upstream;
  readonly caller: Caller;
  readonly deadline: Deadline;
  /** The time limit that the deadline began with, for messages. */
  readonly limitMs: number;
}

/** What the log reports of the service's part in a call. A composite's requests run concurrently. */
export interface UpstreamWork {
  /** Time of the longest request. */
  upstreamMs: number;
  tries: number;
  /** Why parts of a composite had no answer. */
  readonly unavailable: UnavailableReason[];
}

/** Answers the body of a success. `wire` is the valid input in wire form. Throws `GatewayError` or `CallerLeft`. */
export async function forward(
  procedure: Procedure,
  wire: Readonly<Record<string, unknown>>,
  { upstream, caller, deadline, limitMs }: ForwardOptions,
  work: UpstreamWork,
): Promise<unknown> {
  const { requestId, trace, address: clientAddress } = caller;
  const failed = { procedure, input: wire, requestId, limitMs };
  const parts = toParts(procedure, wire);
  const credential = procedure.public ? null : caller.credential;
  const startedAt = performance.now();
  const { outcome, tries } = await upstream.send({ parts, credential, requestId, trace, clientAddress, deadline });
  work.upstreamMs = Math.max(work.upstreamMs, performance.now() - startedAt);
  work.tries += tries;
  if (outcome.kind !== 'answered') throw toError(outcome, failed);
  if (outcome.status < 200 || outcome.status >= 300) throw toStatusError(outcome, failed);
  return outcome.body;
}

/** An answer in code's form (`Date` for timestamps). */
export function decode<P extends Procedure>(
  { access, output }: P,
  body: unknown,
  { requestId }: Caller,
): z.output<P['output']> {
  const parsed = z.safeParse<P['output']>(output, body);
  if (!parsed.success) throw notUnderstood(access, requestId);
  return parsed.data;
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
