/** Parts of requests, by the era of the protocol. */

export const both = 'application/json, text/event-stream';

export const credential = { authorization: 'Bearer key' };

type Params = Readonly<Record<string, unknown>>;

export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request of a 2025 revision. */
export function legacy(method: string, params?: Params, id: unknown = 1, version: string | undefined = '2025-11-25') {
  return {
    headers: { accept: both, ...credential, 'mcp-protocol-version': version },
    body: { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) },
  };
}

/** A request of the revision 2026-07-28. */
export function modern(method: string, { _meta, ...params }: Params = {}, id: unknown = 1) {
  const meta = { ...envelope, ...(typeof _meta === 'object' ? _meta : {}) };
  const name = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {};
  return {
    headers: { accept: both, ...credential, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name },
    body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } },
  };
}

export const eras = { '2025': legacy, '2026-07-28': modern };
