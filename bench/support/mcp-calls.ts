import type { Call } from './load.js';

/** The protocol revisions that stand for the two eras: with a handshake before, and with all in each request. */
export type Era = '2025-06-18' | '2026-07-28';

/** Goes with each request of the second era. */
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A stateless `tools/call`, as the clients of its era send it. */
export function toolCall(era: Era, key: string, name: string, input: object): Call {
  return request(era, key, 'tools/call', { name, arguments: input });
}

/** A stateless `tools/list`. */
export function toolList(era: Era, key: string): Call {
  return request(era, key, 'tools/list', {});
}

function request(era: Era, key: string, method: string, params: { readonly name?: string; arguments?: object }): Call {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': era,
  };
  const message = { jsonrpc: '2.0', id: 1, method };
  if (era === '2025-06-18') return { path: '/mcp', headers, body: JSON.stringify({ ...message, params }) };
  return {
    path: '/mcp',
    headers: { ...headers, 'mcp-method': method, ...(params.name !== undefined && { 'mcp-name': params.name }) },
    body: JSON.stringify({ ...message, params: { ...params, _meta: envelope } }),
  };
}
