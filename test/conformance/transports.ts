import { getUntypedClient, TRPCClientError } from '@trpc/client';
import * as z from 'zod';
import { createPosternClient, isPosternError } from '../../src/client/index.js';
import { toolInput, toolOutput } from '../../src/gateway/mcp/tool-form.js';
import { textsOf } from '../../src/gateway/untrusted/mark-texts.js';
import { type AnyProcedure, isCallable, isComposite } from '../../src/procedures/define.js';
import { problem } from '../../src/procedures/problem.js';
import { toRequest } from '../../src/shared/http/request-parts.js';
import { fieldErrorsText } from '../../src/shared/schema/parse-input.js';
import { callTool } from '../support/gateway.js';
import { unquoted } from '../support/unquoted.js';

/** What a transport answered, in wire form; a refusal by its code, as the gateway names them, and its words. */
export type TransportAnswer =
  | { readonly ok: true; readonly answer: unknown }
  | { readonly ok: false; readonly code: string | null; readonly text: string };

/** Asks one procedure through one transport of the server at `url`. */
type Transport = (
  url: string,
  credential: string | null,
  path: string,
  procedure: AnyProcedure,
  input: Record<string, unknown>,
) => Promise<TransportAnswer>;

/** The tRPC client that frontends use; its dates are encoded again, as the other transports have them. */
const trpc: Transport = async (url, credential, path, procedure, input) => {
  const client = getUntypedClient(createPosternClient({ url, ...(credential !== null && { credential }) }));
  try {
    const answer = await (procedure.access === 'read' ? client.query(path, input) : client.mutation(path, input));
    return { ok: true, answer: encode(procedure, answer) };
  } catch (error) {
    if (!(error instanceof TRPCClientError) || !isPosternError(error)) throw error;
    return { ok: false, code: error.data.failure, text: error.message };
  }
};

/** The JSON of a query's answer as tRPC sends it, where superjson's notes on dates are apart. */
export async function trpcJson(url: string, credential: string, path: string, input: object): Promise<string> {
  const query = encodeURIComponent(JSON.stringify({ json: input }));
  const response = await fetch(`${url}/trpc/${path}?input=${query}`, {
    headers: { authorization: `Bearer ${credential}` },
  });
  const { result } = JSON.parse(await response.text());
  return JSON.stringify(result.data.json);
}

function encode(procedure: AnyProcedure, answer: unknown): unknown {
  return z.encode(procedure.output, z.record(z.string(), z.unknown()).parse(answer));
}

/**
 * MCP answers no codes, only words. Its text and its structured content must say the same. Whole rows are asked for; what a tool
 * adds for agents is not of the answer.
 */
const mcp: Transport = async (url, credential, path, procedure, given) => {
  const { tool } = procedure;
  if (tool === undefined) throw new Error(`${path} has no tool`);
  const input = ofWholeRows(procedure, given);
  const own = credential === null ? {} : { authorization: `Bearer ${credential}` };
  const headers = { 'x-mcp-toolsets': 'all', ...own };
  const { isError, text, structuredContent } = await callTool({ url }, tool, input, { headers });
  if (isError) {
    if (structuredContent !== undefined) throw new Error(`${tool} has content beside its error`);
    return { ok: false, code: null, text };
  }
  if (text !== JSON.stringify(structuredContent)) throw new Error(`${tool} says one thing as text and another as data`);
  return { ok: true, answer: withoutNotes(procedure, structuredContent) };
};

/** The arguments of a tool for an input of its procedure: agents get rows in short, unless they ask for more. */
export function ofWholeRows(procedure: AnyProcedure, input: Record<string, unknown>): Record<string, unknown> {
  return 'view' in toolInput(procedure).shape ? { ...input, view: 'full' } : input;
}

/** Takes from a tool's answer what the tool adds for agents: the names of outsiders' fields, quotes, and how to go on. */
export function withoutNotes(procedure: AnyProcedure, structuredContent: unknown): Record<string, unknown> {
  const { untrusted: _untrusted, more: _more, ...answer } = z.record(z.string(), z.unknown()).parse(structuredContent);
  return z.record(z.string(), z.unknown()).parse(unquoted(answer, textsOf(toolOutput(procedure))));
}

/** Codes of the REST API that the gateway has another name for. */
const gatewayCodes: Readonly<Record<string, string>> = {
  malformed_request: 'invalid_input',
  too_large: 'invalid_input',
  revision_mismatch: 'conflict',
};

const rest: Transport = async (url, credential, path, procedure, input) => {
  if (isComposite(procedure)) throw new Error(`${path} has no request`);
  const { query, body, ...request } = toRequest(procedure, input);
  const search =
    query.length === 0 ? '' : `?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))}`;
  const response = await fetch(`${url}${request.path}${search}`, {
    method: request.method,
    headers: {
      ...(credential !== null && { authorization: `Bearer ${credential}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.ok && !isCallable(procedure)) return { ok: true, answer: await response.text() };
  const answer: unknown = await response.json();
  if (response.ok) return { ok: true, answer };
  const { code, errors, title, resource } = problem.parse(answer);
  return {
    ok: false,
    code: gatewayCodes[code] ?? code,
    text: errors !== undefined ? fieldErrorsText(errors) : (resource?.replaceAll('_', ' ') ?? title),
  };
};

export const transports = { trpc, mcp, rest } as const;
export type TransportName = keyof typeof transports;

/** The transports that a procedure is behind, the one nearest to the service first. */
export function transportsOf(procedure: AnyProcedure): readonly [TransportName, ...TransportName[]] {
  if (isComposite(procedure)) return ['trpc', 'mcp'];
  return procedure.tool === undefined ? ['rest', 'trpc'] : ['rest', 'trpc', 'mcp'];
}

/** The answer of a call that must succeed. */
export function answerOf(result: TransportAnswer): unknown {
  if (!result.ok) throw new Error(`refused: ${result.code ?? ''} ${result.text}`);
  return result.answer;
}
