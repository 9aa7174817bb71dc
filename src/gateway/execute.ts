import type { Logger } from 'pino';
import * as z from 'zod';
import type { Procedure } from '../procedures/define.js';
import { toRequest } from '../procedures/http.js';
import { describeInvalid } from '../procedures/invalid-input.js';
import type { Caller } from './caller.js';
import { type Deadline, startDeadline } from './deadline.js';
import {
  CallerLeft,
  type FailedCall,
  GatewayError,
  invalidInput,
  notUnderstood,
  toError,
  toStatusError,
  unauthenticated,
} from './errors.js';
import type { Upstream, WireParts } from './upstream.js';

/** One call by one caller through one of the doors. */
interface Call extends Caller {
  readonly face: 'trpc' | 'mcp';
  /** `group.member`, for the log. */
  readonly path: string;
  /** Ends when the caller leaves. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs a procedure for a caller: validates the input, asks the service, decodes the answer (`Date` for timestamps).
 * Throws `GatewayError`, or `CallerLeft` when nobody waits for the answer any more.
 */
export type Execute = <P extends Procedure>(procedure: P, input: unknown, call: Call) => Promise<z.output<P['output']>>;

interface ExecuteOptions {
  readonly upstream: Upstream;
  readonly logger: Logger;
  /** Time limit of a call, its retries included. */
  readonly limitMs: number;
}

/** What the log tells of the service's part in a call. */
interface UpstreamWork {
  upstreamMs: number;
  tries: number;
}

/** The one way from a door to the service, for both faces. */
export function createExecute({ upstream, logger, limitMs }: ExecuteOptions): Execute {
  async function run<P extends Procedure>(
    procedure: P,
    input: unknown,
    call: Call,
    work: UpstreamWork,
  ): Promise<z.output<P['output']>> {
    if (call.credential === null && !procedure.public) throw unauthenticated();
    const wire = toWire(procedure, input);
    const parts = toParts(procedure, wire);
    const deadline = startDeadline(limitMs, call.signal);
    try {
      const body = await ask(
        parts,
        { procedure, input: wire, requestId: call.requestId, limitMs },
        call,
        deadline,
        work,
      );
      return decode(procedure, body, { procedure, input: wire, requestId: call.requestId, limitMs });
    } finally {
      deadline.release();
    }
  }

  /** Sends the request and answers the body of its success. */
  async function ask(
    parts: WireParts,
    failed: FailedCall,
    call: Call,
    deadline: Deadline,
    work: UpstreamWork,
  ): Promise<unknown> {
    const startedAt = performance.now();
    const { outcome, tries } = await upstream.send({
      parts,
      credential: failed.procedure.public ? null : call.credential,
      requestId: call.requestId,
      trace: call.trace,
      deadline,
    });
    work.upstreamMs = performance.now() - startedAt;
    work.tries = tries;
    if (outcome.kind !== 'answered') throw toError(outcome, failed);
    if (outcome.status < 200 || outcome.status >= 300) throw toStatusError(outcome, failed);
    return outcome.body;
  }

  return async (procedure, input, call) => {
    const startedAt = performance.now();
    const work: UpstreamWork = { upstreamMs: 0, tries: 0 };
    let status = 'ok';
    try {
      return await run(procedure, input, call, work);
    } catch (error) {
      status = statusOf(error);
      if (status === 'internal_error') {
        const stack = error instanceof Error ? error.stack : String(error);
        logger.error({ request_id: call.requestId, procedure: call.path, stack }, 'call failed inside the gateway');
      }
      throw error;
    } finally {
      logger.info(
        {
          request_id: call.requestId,
          face: call.face,
          procedure: call.path,
          status,
          duration_ms: rounded(performance.now() - startedAt),
          upstream_ms: rounded(work.upstreamMs),
          tries: work.tries,
        },
        'call',
      );
    }
  };
}

/** The validated input in wire form, defaults filled in. */
function toWire(procedure: Procedure, input: unknown): Record<string, unknown> {
  const parsed = procedure.input.safeParse(input === undefined ? {} : input);
  if (!parsed.success) throw invalidInput(describeInvalid(procedure.input, parsed.error));
  return z.encode(procedure.input, parsed.data);
}

/** The request for an input; what no request can carry (a free-form document with a cycle or a bigint) is the caller's error. */
function toParts(procedure: Procedure, wire: Record<string, unknown>): WireParts {
  try {
    const { body, ...parts } = toRequest(procedure, wire);
    return { ...parts, body: body === undefined ? null : JSON.stringify(body) };
  } catch {
    throw new GatewayError('invalid_input', 'the input cannot be sent as JSON');
  }
}

function decode<P extends Procedure>(procedure: P, body: unknown, failed: FailedCall): z.output<P['output']> {
  const parsed = z.safeParse<P['output']>(procedure.output, body);
  if (!parsed.success) throw notUnderstood(failed);
  return parsed.data;
}

function statusOf(error: unknown): string {
  if (error instanceof GatewayError) return error.code;
  return error instanceof CallerLeft ? 'caller_left' : 'internal_error';
}

/** Milliseconds with one decimal. */
function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
