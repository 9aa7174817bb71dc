import type { Logger } from 'pino';
import * as z from 'zod';
import { type AnyProcedure, isComposite } from '../procedures/define.js';
import { procedures } from '../procedures/index.js';
import { parseInput } from '../shared/schema/parse-input.js';
import { createReadWire } from './answers/wire-form.js';
import type { CallLimits, EnteredCall } from './call-limits.js';
import type { CallWatch } from './call-record.js';
import type { Caller } from './caller.js';
import { compose } from './composites/compose.js';
import { startDeadline } from './deadline.js';
import { CallerLeft, GatewayError, invalidInput, unauthenticated } from './errors.js';
import { accepted, forward, noWork, type UpstreamWork } from './forward.js';
import type { Upstream } from './upstream.js';

interface Call extends Caller {
  /** The transport, for the log. */
  readonly face: 'trpc' | 'mcp';
  /** `group.member`, for the log. */
  readonly path: string;
  /** Ends when the caller leaves. */
  readonly signal: AbortSignal | undefined;
}

interface Answer {
  /** The valid answer in wire form (JSON). */
  readonly wire: Record<string, unknown>;
}

/** Validates the input, forwards or composes, validates the answer. Throws `GatewayError` or `CallerLeft`. */
export type Execute = (procedure: AnyProcedure, input: unknown, call: Call) => Promise<Answer>;

/** The share of a call's time that a composite waits for its parts: what it has of them answers in time. */
const partsShare = 0.9;

interface ExecuteOptions extends CallWatch {
  readonly upstream: Upstream;
  readonly logger: Logger;
  readonly limits: CallLimits;
  /** Time limit of a call, its retries included. */
  readonly limitMs: number;
}

export function createExecute(options: ExecuteOptions): Execute {
  const { upstream, logger, limits, limitMs: callLimitMs, onCall, traced } = options;
  const readWire = createReadWire(procedures);
  async function run(procedure: AnyProcedure, input: unknown, call: Call, work: UpstreamWork): Promise<Answer> {
    if (call.credential === null && !procedure.public) throw unauthenticated();
    const entered = await limits.enter(procedure, call, call.signal);
    try {
      return await answer(procedure, input, call, entered, work);
    } finally {
      entered.leave();
    }
  }

  async function answer(
    procedure: AnyProcedure,
    input: unknown,
    call: Call,
    { nextTurn }: EnteredCall,
    work: UpstreamWork,
  ): Promise<Answer> {
    const parsed = validInput(procedure, input);
    const limitMs = isComposite(procedure) ? Math.round(callLimitMs * partsShare) : callLimitMs;
    const deadline = startDeadline(limitMs, call.signal);
    const options = { upstream, caller: call, deadline, limitMs, nextTurn };
    try {
      if (isComposite(procedure)) {
        // Its parts were validated, and what is made of them here: encoding checks as much as decoding does.
        return { wire: z.encode(procedure.output, await compose(procedure, parsed, options, work)) };
      }
      const body = await forward(procedure, z.encode(procedure.input, parsed), options, work);
      return { wire: accepted(readWire(procedure, body), procedure, call, work) };
    } finally {
      deadline.release();
    }
  }

  return async (procedure, input, call) => {
    const startedAt = performance.now();
    const work = noWork();
    let status = 'ok';
    try {
      if (traced === undefined) return await run(procedure, input, call, work);
      return await traced({ face: call.face, path: call.path, parent: call.trace }, (trace) =>
        run(procedure, input, { ...call, trace }, work),
      );
    } catch (error) {
      status = statusOf(error);
      if (status === 'internal_error') {
        const stack = error instanceof Error ? error.stack : String(error);
        logger.error({ request_id: call.requestId, procedure: call.path, stack }, 'call failed inside the gateway');
      }
      throw error;
    } finally {
      const { upstreamMs, tries, faults } = work;
      const durationMs = performance.now() - startedAt;
      onCall?.({ face: call.face, path: call.path, status, durationMs, upstreamMs, tries, faults });
      logger.info(
        {
          request_id: call.requestId,
          face: call.face,
          procedure: call.path,
          status,
          duration_ms: rounded(durationMs),
          upstream_ms: rounded(upstreamMs),
          tries,
          ...(work.unavailable.length > 0 && { unavailable: work.unavailable }),
          ...(faults.length > 0 && { faults }),
        },
        'call',
      );
    }
  };
}

/** The validated input, defaults filled in. */
function validInput({ input: schema }: AnyProcedure, input: unknown): Record<string, unknown> {
  const parsed = parseInput(schema, input === undefined ? {} : input);
  if (!parsed.ok) throw invalidInput(parsed.errors);
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
