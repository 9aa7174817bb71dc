import { isComposite } from '../../procedures/define.js';
import { reasons } from '../../procedures/problem.js';
import { cleanAnswer } from '../answers/clean-answer.js';
import type { Caller } from '../caller.js';
import { GatewayError } from '../errors.js';
import type { Execute } from '../execute.js';
import type { ToolEntry } from '../tool-catalogue.js';

/** What a call of a tool came to: an answer in wire form, which is serialised once, or texts of an error. */
export type ToolOutcome =
  | { readonly answer: Record<string, unknown>; readonly json: string }
  | { readonly errors: readonly string[] };

/** Calls a tool. Never throws: every failure of a call is an outcome. */
export async function callTool(
  { path, procedure }: ToolEntry,
  input: unknown,
  execute: Execute,
  call: Caller & { readonly signal: AbortSignal },
): Promise<ToolOutcome> {
  try {
    const { wire } = await execute(procedure, input, { ...call, face: 'mcp', path });
    // A composite's texts are clean: it was made of cleaned parts.
    if (isComposite(procedure)) return { answer: wire, json: JSON.stringify(wire) };
    const { value: answer, json } = cleanAnswer(wire);
    return { answer, json };
  } catch (error) {
    return { errors: errorTexts(error, call.requestId) };
  }
}

/** The message; beside "authentication failed", whose words are specified, what is needed where that is known. */
function errorTexts(error: unknown, requestId: string): string[] {
  if (!(error instanceof GatewayError)) return [`the gateway could not answer (request ${requestId})`];
  const { code, message, reason } = error;
  return code === 'unauthenticated' && reason !== null ? [message, reasons[reason]] : [message];
}
