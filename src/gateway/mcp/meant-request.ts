import type { IncomingMessage } from 'node:http';
import { PROTOCOL_VERSION_META_KEY, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isRecord } from '../../shared/json/is-record.js';

const both = 'application/json, text/event-stream';

/** A client that takes anything takes both: the SDK wants each of them named. */
export function nameBothTypes({ headers, rawHeaders }: IncomingMessage): void {
  const { accept } = headers;
  if (accept !== undefined && !/(?:^|,)\s*\*\/\*\s*(?:$|,)/.test(accept)) return;
  headers.accept = both;
  const at = rawHeaders.findIndex((name, place) => place % 2 === 0 && name.toLowerCase() === 'accept');
  if (at === -1) rawHeaders.push('Accept', both);
  else rawHeaders[at + 1] = both;
}

/** Takes arguments that are null out of a message: some clients send them for none. */
export function dropNullArguments(body: unknown): void {
  if (!isRecord(body) || !isRecord(body['params'])) return;
  const { params } = body;
  if (params['arguments'] === null) delete params['arguments'];
}

/** An error that answers a message before the SDK reads it. */
interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: string | number;
  readonly error: { readonly code: number; readonly message: string };
}

/** The answer to a handshake that says what is wrong with it, which the SDK refuses as if the fault were its own; null where nothing is. */
export function handshakeRefusal(body: unknown): Refusal | null {
  if (!isRecord(body) || body['method'] !== 'initialize') return null;
  const { id, params } = body;
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  const given = isRecord(params) ? params : {};
  // Since 2026-07-28 each request says its revision, and there is no such method: the SDK says that.
  if (isRecord(given['_meta']) && Object.hasOwn(given['_meta'], PROTOCOL_VERSION_META_KEY)) return null;
  const wrong = [
    typeof given['protocolVersion'] !== 'string' && 'protocolVersion: a text such as 2025-11-25 is needed',
    !isRecord(given['capabilities']) && 'capabilities: an object is needed',
    !isNamed(given['clientInfo']) && 'clientInfo: an object with name and version is needed',
  ].filter((each) => each !== false);
  if (wrong.length === 0) return null;
  return { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InvalidParams, message: wrong.join('; ') } };
}

function isNamed(client: unknown): boolean {
  return isRecord(client) && typeof client['name'] === 'string' && typeof client['version'] === 'string';
}
