import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { type Caller, readTraceContext } from '../caller.js';
import type { Execute } from '../execute.js';
import type { ToolCatalogue } from '../tool-catalogue.js';
import { serverVersion } from '../version.js';
import { callTool, type ToolOutcome } from './call-tool.js';
import { instructionsFor } from './instructions.js';
import type { Toolsets } from './toolsets.js';

/** How the server names itself. */
export const serverInfo = { name: 'postern', version: serverVersion };

/** One exchange (HTTP) or one connection (stdio). */
interface McpExchange {
  /** The tools that the client chose. */
  readonly catalogue: ToolCatalogue;
  readonly hasCredential: boolean;
  /** Called once for each call. */
  readonly caller: () => Caller;
}

export type CreateMcpServer = (exchange: McpExchange) => Server;

/** The MCP transport: a catalogue's tools over `execute`, for every protocol revision that the SDK supports. */
export function createMcpServerFactory(execute: Execute, toolsets: Toolsets): CreateMcpServer {
  return ({ catalogue: { tools, byName }, hasCredential, caller }) => {
    // The low-level server: registering all tools again for each request would cost more than most calls.
    const server = new Server(serverInfo, {
      capabilities: { tools: {} },
      instructions: instructionsFor(hasCredential),
    });
    server.setRequestHandler('tools/list', () => ({ tools }));
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal, _meta } }) => {
      const entry = byName.get(params.name);
      if (entry === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, toolsets.missing(params.name));
      const { trace, ...from } = caller();
      const outcome = await callTool(entry, params.arguments, execute, {
        ...from,
        trace: readTraceContext(_meta?.['traceparent'], _meta?.['tracestate']) ?? trace,
        signal,
      });
      return toResult(outcome);
    });
    return server;
  };
}

function toResult(outcome: ToolOutcome): CallToolResult {
  return 'json' in outcome
    ? { structuredContent: outcome.answer, content: [{ type: 'text', text: outcome.json }] }
    : { isError: true, content: outcome.errors.map((text) => ({ type: 'text', text })) };
}
