import type { AnyProcedure } from '../../procedures/define.js';
import { reasons } from '../../procedures/problem.js';
import { isRecord } from '../../shared/json/is-record.js';
import { parseInput } from '../../shared/schema/parse-input.js';
import type { Caller } from '../caller.js';
import { GatewayError, invalidInput } from '../errors.js';
import type { Execute } from '../execute.js';
import type { CleanAnswer } from '../untrusted/untrusted-text.js';
import { type AgentQuestion, agentAnswer } from './agent-answer.js';
import type { ToolEntry } from './tool-catalogue.js';
import { formOf, listView, toolInput } from './tool-form.js';

/** What a call of a tool came to: an answer in wire form, which is serialised once, or texts of an error. */
export type ToolOutcome =
  | { readonly answer: Record<string, unknown>; readonly json: string }
  | { readonly errors: readonly string[]; readonly code: GatewayError['code'] | 'internal' };

/** Calls a tool. Never throws: every failure of a call is an outcome. */
export async function callTool(
  { path, procedure }: ToolEntry,
  input: unknown,
  execute: Execute,
  call: Caller & { readonly signal: AbortSignal },
): Promise<ToolOutcome> {
  try {
    const asked = readView(procedure, input);
    const ask = async (changed: object): Promise<CleanAnswer | null> => {
      const isPaged = formOf(procedure).isPaged && isRecord(asked.input);
      const given = isPaged ? { ...withCursors(asked.input), ...changed } : asked.input;
      const { wire } = await execute(procedure, given, { ...call, face: 'mcp', path });
      return agentAnswer(procedure, { ...asked, input }, wire);
    };
    const answer = await ask({});
    if (answer === null)
      return { errors: ['the answer is too large for an agent: ask for less of it'], code: 'invalid_input' };
    const { page } = answer.value;
    if (typeof page === 'number' && page > 1 && isAskedByNumber(asked.input)) {
      requireWhole(await ask({ page: page - 1 }), page - 1);
    }
    return { answer: answer.value, json: answer.json };
  } catch (error) {
    const failed = asToolError(error, procedure, input);
    const code = failed instanceof GatewayError ? failed.code : 'internal';
    return { errors: errorTexts(failed, call.requestId), code };
  }
}

/**
 * The view that was asked for, and the input without it: the service answers whole rows. An input whose `view` is none stays as it
 * is, and is refused with all that is wrong in it.
 */
function readView(procedure: AnyProcedure, input: unknown): AgentQuestion {
  if (formOf(procedure).kept === null) return { input, view: 'full' };
  if (!isRecord(input) || !Object.hasOwn(input, 'view')) return { input, view: 'summary' };
  const { view, ...rest } = input;
  const asked = listView.safeParse(view ?? 'summary');
  return asked.success ? { input: rest, view: asked.data } : { input, view: 'summary' };
}

/** The input of a list whose answer has a cursor for each row, so that it can end after any. */
function withCursors(input: Readonly<Record<string, unknown>>) {
  return { ...input, cursors: input['cursors'] || true };
}

function isAskedByNumber(input: unknown): boolean {
  return isRecord(input) && (input['cursor'] ?? null) === null && (input['page'] ?? null) !== null;
}

/** Throws where the page before the one that was asked for by its number ended early: its last rows would be passed over. */
function requireWhole(before: CleanAnswer | null, page: number): void {
  const { items, page_size, has_more, next_cursor } = before?.value ?? {};
  if (has_more === false || (Array.isArray(items) && items.length === page_size)) return;
  const cursor = typeof next_cursor === 'string' ? ` with cursor ${next_cursor}` : ' with a smaller page_size';
  const message = `page ${page} ended early, to keep the answer small: go on${cursor}`;
  throw invalidInput([{ field: 'page', message, code: 'not_accepted' }]);
}

/** A tool may take one field more than its procedure does. Then the words of a refusal are those of the tool's own input. */
function asToolError(error: unknown, procedure: AnyProcedure, input: unknown): unknown {
  if (!(error instanceof GatewayError) || error.code !== 'invalid_input') return error;
  const parsed = parseInput(toolInput(procedure), input ?? {});
  return parsed.ok ? error : invalidInput(parsed.errors);
}

/** The message; beside "authentication failed", whose words are specified, what is needed where that is known. */
function errorTexts(error: unknown, requestId: string): string[] {
  if (!(error instanceof GatewayError)) return [`the gateway could not answer (request ${requestId})`];
  const { code, message, reason } = error;
  return code === 'unauthenticated' && reason !== null ? [message, reasons[reason]] : [message];
}
