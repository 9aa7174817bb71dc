import * as z from 'zod';
import type { Procedure } from '../../procedures/define.js';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { fromRequest, toRequest } from '../../shared/http/request-parts.js';
import { parseInput } from '../../shared/schema/parse-input.js';
import type { CallLimits, EnteredCall } from '../call-limits.js';
import { fromOf } from '../caller.js';
import { callerFirst } from '../caller-first.js';
import { startDeadline } from '../deadline.js';
import { CallerLeft, GatewayError, invalidInput, toError, toStatusError, unauthenticated } from '../errors.js';
import type { Call, Observe } from '../http/observe.js';
import type { UpstreamWork } from '../upstream/forward.js';
import { faultOf } from '../upstream/outcome.js';
import type { TransferBody, TransferOutcome } from '../upstream/transfer.js';
import type { Upstream } from '../upstream/upstream.js';
import { type IdleWatch, watchIdle } from './idle-watch.js';

export interface TransferOptions {
  readonly upstream: Upstream;
  readonly observe: Observe;
  readonly limits: CallLimits;
  /** Milliseconds in which some bytes must move, or the answer come. */
  readonly idleMs: number;
}

type Input = Readonly<Record<string, unknown>>;

type OpenAnswer = Extract<TransferOutcome, { kind: 'open' }> & { readonly input: Input };

/** One transfer: a call with a body or an answer as large as a file. */
export interface Transfer<T> {
  readonly procedure: Procedure;
  /** Reads the input, in wire form, without the body. Throws `GatewayError` where it is wrong. */
  readonly readInput: () => Input;
  readonly call: Call;
  /** What is sent, and how to end that early. */
  readonly send?: (watch: IdleWatch) => { readonly body: TransferBody; readonly isReceiving: () => boolean };
  /** Reads the answer. */
  readonly use: (answer: OpenAnswer, watch: IdleWatch, work: UpstreamWork) => Promise<T>;
}

/** Does what `execute` does for a call, but holds neither body nor answer. Throws `GatewayError` or `CallerLeft`. */
export async function transfer<T>(given: Transfer<T>, options: TransferOptions): Promise<T> {
  return options.observe(given.call, async (call, work) => {
    if (call.credential === null) throw unauthenticated();
    const entered = await options.limits.enter(given.procedure, call, call.signal, 'transfer');
    try {
      const begun = { ...given, call };
      const input = await goodInput(begun, work, entered, options);
      return await exchange(begun, input, work, options);
    } finally {
      entered.leave();
    }
  });
}

async function goodInput<T>(
  { procedure, readInput, call }: Transfer<T>,
  work: UpstreamWork,
  { nextTurn }: EnteredCall,
  { upstream, idleMs: limitMs }: TransferOptions,
): Promise<Input> {
  try {
    return readInput();
  } catch (error) {
    const deadline = startDeadline(limitMs, call.signal);
    const asking = { upstream, caller: call, deadline, limitMs, nextTurn };
    throw await callerFirst(error, { procedure, path: call.path, work }, asking).finally(deadline.release);
  }
}

async function exchange<T>(
  { procedure, call, send, use }: Transfer<T>,
  input: Input,
  work: UpstreamWork,
  { upstream, idleMs }: TransferOptions,
): Promise<T> {
  const { credential, requestId, trace, organisation } = call;
  const failed = { procedure, input, requestId, limitMs: idleMs };
  let isReceiving = () => false;
  const watch = watchIdle({
    ...{ idleMs, left: call.signal, onLeft: () => new CallerLeft() },
    onIdle: () => (isReceiving() ? tooSlow(idleMs) : toError({ kind: 'ended', by: 'deadline' }, failed)),
  });
  try {
    const sent = send?.(watch);
    if (sent !== undefined) isReceiving = sent.isReceiving;
    const { body: _none, ...parts } = toRequest(procedure, input);
    const startedAt = performance.now();
    const asked = { parts, credential, requestId, trace, from: fromOf(call), organisation, signal: watch.signal };
    const outcome = await upstream.transfer({ ...asked, body: sent?.body ?? null });
    work.upstreamMs = performance.now() - startedAt;
    work.tries += 1;
    if (outcome.kind === 'open') return await use({ ...outcome, input }, watch, work);
    const fault = faultOf(outcome);
    if (fault !== null) work.faults.push(fault);
    throw outcome.kind === 'answered' ? toStatusError(outcome, failed) : toError(outcome, failed);
  } catch (error) {
    if (watch.signal.aborted) throw watch.signal.reason;
    if (error instanceof GatewayError || codeOfError(error) === null) throw error;
    work.faults.push({ kind: 'broken' });
    throw toError({ kind: 'broken', code: codeOfError(error) }, failed);
  } finally {
    watch.release();
  }
}

function tooSlow(idleMs: number): GatewayError {
  return new GatewayError('timeout', `the body stopped arriving: nothing came for ${idleMs / 1000} s`);
}

/** The input that a query gives, in wire form. `schema` has its fields alone. */
export function inputOfQuery(
  { http }: Procedure,
  schema: z.ZodObject,
  query: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const parsed = parseInput(schema, fromRequest({ http, input: schema }, { path: {}, query, body: undefined }));
  if (!parsed.ok) throw invalidInput(parsed.errors);
  return z.encode(schema, parsed.data);
}
