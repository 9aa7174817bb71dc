import type { IncomingMessage } from 'node:http';
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

/** The message without arguments that are null, which some clients send for none. */
export function meantMessage(body: unknown): unknown {
  if (!isRecord(body) || !isRecord(body['params']) || body['params']['arguments'] !== null) return body;
  const { arguments: _none, ...params } = body['params'];
  return { ...body, params };
}

/** What is wrong with a handshake, which the SDK refuses as if the fault were its own; null where nothing is. */
export function wrongHandshake(body: unknown): { readonly id: unknown; readonly message: string } | null {
  if (!isRecord(body) || body['method'] !== 'initialize') return null;
  const { id, params } = body;
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  const given = isRecord(params) ? params : {};
  const wrong = [
    typeof given['protocolVersion'] !== 'string' && 'protocolVersion: a text such as 2025-11-25 is needed',
    !isRecord(given['capabilities']) && 'capabilities: an object is needed',
    !isNamed(given['clientInfo']) && 'clientInfo: an object with name and version is needed',
  ].filter((each) => each !== false);
  return wrong.length === 0 ? null : { id, message: wrong.join('; ') };
}

function isNamed(client: unknown): boolean {
  return isRecord(client) && typeof client['name'] === 'string' && typeof client['version'] === 'string';
}
