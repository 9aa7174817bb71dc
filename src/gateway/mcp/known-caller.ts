import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { procedures } from '../../procedures/index.js';
import type { Caller } from '../caller.js';
import type { Execute } from '../execute.js';

const { get: whoCalls } = procedures.session;

/** Who calls, as the service says. */
export type KnownCaller = z.output<typeof whoCalls.output>['caller'];

/** Asks the service who calls. Throws what a call throws. */
export type AskWhoCalls = (caller: Caller, signal: AbortSignal) => Promise<KnownCaller>;

export function createAskWhoCalls(execute: Execute): AskWhoCalls {
  return async (caller, signal) => {
    const { wire } = await execute(whoCalls, {}, { ...caller, face: 'mcp', path: 'session.get', signal });
    return whoCalls.output.parse(wire).caller;
  };
}

/** Who calls; `unknown` where the service has not said so, null without a credential. */
export type Holder = KnownCaller | 'unknown' | null;

/** Milliseconds that a handshake waits to learn what its credential may do. It needs no answer. */
const askForMs = 2_000;

/** For a handshake, which never fails. */
export async function holderOf(askWhoCalls: AskWhoCalls, caller: Caller, left: AbortSignal): Promise<Holder> {
  if (caller.credential === null) return null;
  const signal = AbortSignal.any([left, AbortSignal.timeout(askForMs)]);
  return askWhoCalls(caller, signal).catch((): Holder => 'unknown');
}

const known = new WeakMap<IncomingMessage, KnownCaller>();

/** Keeps who sends a request for as long as the request lasts, so that nothing asks twice. */
export function noteCaller(req: IncomingMessage, caller: KnownCaller): void {
  known.set(req, caller);
}

/** Who sends a request, where that has been asked. */
export function knownCaller(req: IncomingMessage): KnownCaller | undefined {
  return known.get(req);
}

/** Whether a caller may only read, whatever its role: it holds a token without the scope to write. */
export function readsAlone(caller: KnownCaller | undefined): boolean {
  return caller?.kind === 'member' && caller.access === 'read';
}
