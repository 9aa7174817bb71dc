import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isSpecType,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

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
