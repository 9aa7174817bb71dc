import { callerOf } from '../../support/service.js';

/** Calls a tool as an agent does: over HTTP, with a key and nothing else. */
export function callTool(url: string, key: string, name: string, input: Readonly<Record<string, unknown>> = {}) {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
  return callerOf(url)(key, 'POST', '/mcp', request, { accept: 'application/json, text/event-stream' });
}
