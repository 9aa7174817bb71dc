import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { isComposite } from '../procedures/define.js';
import type { Caller } from './caller.js';
import { GatewayError } from './errors.js';
import type { Execute } from './execute.js';
import { instructions } from './instructions.js';
import type { ToolCatalogue, ToolEntry } from './tool-catalogue.js';
import { readTraceContext } from './trace-context.js';
import { cleanText } from './untrusted-text.js';
import { serverVersion } from './version.js';

/** Creates a server for one exchange (HTTP) or one connection (stdio). `caller` is called once for each tool call. */
export type CreateMcpServer = (caller: () => Caller) => Server;

interface McpOptions {
  readonly catalogue: ToolCatalogue;
  readonly execute: Execute;
}

/** The MCP transport: the catalogue's tools over `execute`, for every protocol revision that the SDK supports. */
export function createMcpServerFactory({ catalogue: { tools, byName }, execute }: McpOptions): CreateMcpServer {
  return (caller) => {
    // The low-level server: registering all tools again for each request would cost more than most calls.
    const server = new Server(
      { name: 'postern', version: serverVersion },
      { capabilities: { tools: {} }, instructions },
    );
    server.setRequestHandler('tools/list', () => ({ tools }));
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal, _meta } }) => {
      const entry = byName.get(params.name);
      if (entry === undefined)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          'there is no tool of this name: tools/list names them',
        );
      const { trace, ...from } = caller();
      return callTool(entry, params.arguments, execute, {
        ...from,
        trace: readTraceContext(_meta?.['traceparent'], _meta?.['tracestate']) ?? trace,
        signal,
      });
    });
    return server;
  };
}

interface ToolCall extends Caller {
  readonly signal: AbortSignal;
}

async function callTool(
  { path, procedure }: ToolEntry,
  input: unknown,
  execute: Execute,
  call: ToolCall,
): Promise<CallToolResult> {
  try {
    const { toWire } = await execute(procedure, input, { ...call, face: 'mcp', path });
    // A composite's texts are clean: it was made of cleaned parts.
    const structuredContent = isComposite(procedure) ? toWire() : cleanText(toWire());
    return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
  } catch (error) {
    const text =
      error instanceof GatewayError ? error.message : `the gateway could not answer (request ${call.requestId})`;
    return { isError: true, content: [{ type: 'text', text }] };
  }
}
