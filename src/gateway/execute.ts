import * as z from 'zod';
import { type AnyProcedure, isComposite } from '../procedures/define.js';
import { procedures } from '../procedures/index.js';
import { parseInput } from '../shared/schema/parse-input.js';
import type { CallLimits, EnteredCall } from './call-limits.js';
import { callerFirst } from './caller-first.js';
import { compose } from './composites/composers.js';
import { startDeadline } from './deadline.js';
import { invalidInput, unauthenticated } from './errors.js';
import type { Call, Observe } from './http/observe.js';
import { accepted, forward, type UpstreamWork } from './upstream/forward.js';
import { createReadWire } from './upstream/request.js';
import type { Upstream } from './upstream/upstream.js';

interface Answer {
  /** The valid answer in wire form (JSON). */
  readonly wire: Record<string, unknown>;
}

/** Validates the input, forwards or composes, validates the answer. Throws `GatewayError` or `CallerLeft`. */
export type Execute = (procedure: AnyProcedure, input: unknown, call: Call) => Promise<Answer>;

/** The share of a call's time that a composite waits for its parts: what it has of them answers in time. */
const partsShare = 0.9;

interface ExecuteOptions {
  readonly upstream: Upstream;
  readonly observe: Observe;
  readonly limits: CallLimits;
  /** Time limit of a call, its retries included. */
  readonly limitMs: number;
}

export function createExecute(options: ExecuteOptions): Execute {
  const { upstream, observe, limits, limitMs: callLimitMs } = options;
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
    const limitMs = isComposite(procedure) ? Math.round(callLimitMs * partsShare) : callLimitMs;
    const deadline = startDeadline(limitMs, call.signal);
    const options = { upstream, caller: call, deadline, limitMs, nextTurn };
    try {
      const parsed = validInput(procedure, input);
      if (isComposite(procedure)) {
        // Its parts were validated, and what is made of them here: encoding checks as much as decoding does.
        return { wire: z.encode(procedure.output, await compose(procedure, parsed, options, work)) };
      }
      const body = await forward(procedure, z.encode(procedure.input, parsed), options, work);
      return { wire: accepted(readWire(procedure, body), procedure, call, work) };
    } catch (error) {
      throw await callerFirst(error, { procedure, path: call.path, work }, options);
    } finally {
      deadline.release();
    }
  }

  return (procedure, input, call) => observe(call, (traced, work) => run(procedure, input, traced, work));
}

/** The validated input, defaults filled in. */
function validInput({ input: schema }: AnyProcedure, input: unknown): Record<string, unknown> {
  const parsed = parseInput(schema, input === undefined ? {} : input);
  if (!parsed.ok) throw invalidInput(parsed.errors);
  return parsed.data;
}
