import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isSpecType,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Tool,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { ToolOutcome } from './call-tool.js';
import { serverInfo } from './server.js';

// JSON-RPC answers as the SDK writes them, byte by byte: keys in its order, and what it adds to a result of 2026-07-28.

const meta = `,"_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: serverInfo })}`;

/** Ends the result of a call. */
const callEnd: Record<Era, string> = { legacy: '', modern: `,"resultType":"complete"${meta}` };

/** Ends a list of tools: the SDK lets nobody cache it. */
const listEnd: Record<Era, string> = {
  legacy: '',
  modern: `,"resultType":"complete","ttlMs":0,"cacheScope":"private"${meta}`,
};

/** The answer to a tool call. The text is the structured answer once more, as one string. */
export function callText(era: Era, id: string | number, outcome: ToolOutcome): Buffer {
  const result =
    'json' in outcome
      ? `${contentText([outcome.json])},"structuredContent":${outcome.json}`
      : `${contentText(outcome.errors)},"isError":true`;
  return Buffer.from(`{"result":{${result}${callEnd[era]}}${endText(id)}`);
}

/** All of the answer to tools/list but its end, which has the request's id. */
export function listStart(era: Era, tools: readonly Tool[]): Buffer {
  return Buffer.from(`{"result":{"tools":${JSON.stringify(tools)}${listEnd[era]}}`);
}

export function endText(id: string | number): string {
  return `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}

function contentText(texts: readonly string[]): string {
  return `"content":[${texts.map((text) => `{"type":"text","text":${JSON.stringify(text)}}`).join(',')}]`;
}

// What the short way answers. These schemas accept less than the SDK's: a request with anything else in it goes to the SDK,
// which knows what it means, or how to refuse it.

/** The 2025 revisions and those before them, or the revision 2026-07-28. */
export type Era = 'legacy' | 'modern';

const modernVersion = '2026-07-28';

const id = z.union([z.string(), z.int()]);

const loose = { progressToken: id.optional() };

/** Whether the keys that the protocol reserves are these alone. */
function reserves(...keys: readonly string[]): (meta: object) => boolean {
  return (meta) => Object.keys(meta).every((key) => !key.startsWith('io.modelcontextprotocol/') || keys.includes(key));
}

const legacyMeta = z.looseObject(loose).refine(reserves());

const modernMeta = z
  .looseObject({
    ...loose,
    [PROTOCOL_VERSION_META_KEY]: z.literal(modernVersion),
    [CLIENT_INFO_META_KEY]: z.custom(isSpecType.Implementation).optional(),
    [CLIENT_CAPABILITIES_META_KEY]: z.custom(isSpecType.ClientCapabilities),
  })
  .refine(reserves(PROTOCOL_VERSION_META_KEY, CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY));

const message = { jsonrpc: z.literal('2.0'), id };

const listParams = z.strictObject({ _meta: legacyMeta.optional() });

const callParams = z.strictObject({
  _meta: legacyMeta.optional(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

const requests = {
  legacy: z.discriminatedUnion('method', [
    z.strictObject({ ...message, method: z.literal('tools/list'), params: listParams.optional() }),
    z.strictObject({ ...message, method: z.literal('tools/call'), params: callParams }),
  ]),
  modern: z.discriminatedUnion('method', [
    z.strictObject({ ...message, method: z.literal('tools/list'), params: listParams.extend({ _meta: modernMeta }) }),
    z.strictObject({ ...message, method: z.literal('tools/call'), params: callParams.extend({ _meta: modernMeta }) }),
  ]),
};

export type ShortRequest = z.output<(typeof requests)[Era]> & { readonly era: Era };

/** The request, where it is one that the short way answers. */
export function readShortRequest({ method, headers }: IncomingMessage, body: unknown): ShortRequest | null {
  if (method !== 'POST' || !allowsBoth(headers.accept) || headers['mcp-session-id'] !== undefined) return null;
  if (!/^application\/json(?:; ?charset=utf-8)?$/i.test(headers['content-type'] ?? '')) return null;
  const era = readEra(headers['mcp-protocol-version']);
  if (era === null) return null;
  const { data } = requests[era].safeParse(body);
  if (data === undefined || (era === 'modern' && !isRepeated(data, headers))) return null;
  return { ...data, era };
}

/** Whether a client takes JSON as well as a stream, without a preference: the SDK answers some requests by a stream. */
function allowsBoth(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const types = accept.split(',').map((type) => type.trim());
  return types.includes('application/json') && types.includes('text/event-stream') && !accept.includes(';');
}

function readEra(version: string | string[] | undefined): Era | null {
  if (version === modernVersion) return 'modern';
  return version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version)) ? 'legacy' : null;
}

/** Whether the headers say what the body says, as the revision 2026-07-28 asks. */
function isRepeated({ method, params = {} }: z.output<(typeof requests)[Era]>, headers: IncomingHttpHeaders): boolean {
  return headers['mcp-method'] === method && (!('name' in params) || headers['mcp-name'] === params.name);
}
