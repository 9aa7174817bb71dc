import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Caller, readTraceContext } from '../caller.js';
import type { Execute } from '../execute.js';
import { serverVersion } from '../version.js';
import { callTool, type ToolOutcome } from './call-tool.js';
import { complete } from './complete.js';
import { instructionsFor } from './instructions.js';
import type { Holder } from './known-caller.js';
import { getPrompt, listPrompts } from './prompts.js';
import { listResources, listResourceTemplates, readResource } from './resources.js';
import type { ToolCatalogue, ToolEntry } from './tool-catalogue.js';
import type { Toolsets } from './toolsets.js';

/** How the server names itself. */
export const serverInfo = { name: 'postern', version: serverVersion };

/** One exchange (HTTP) or one connection (stdio). */
interface McpExchange {
  /** The tools that the client chose. */
  readonly catalogue: ToolCatalogue;
  readonly holder: Holder;
  /** Whether changes of resources are reported, which needs a stream or a connection that lasts. */
  readonly subscribes: boolean;
  /** Called once for each call. */
  readonly caller: () => Caller;
}

export type CreateMcpServer = (exchange: McpExchange) => Server;

/** The MCP transport: a catalogue's tools over `execute`, for every protocol revision that the SDK supports. */
export function createMcpServerFactory(execute: Execute, toolsets: Toolsets): CreateMcpServer {
  return ({ catalogue, holder, subscribes, caller }) => {
    const { tools, byName } = catalogue;
    // The low-level server: registering all tools again for each request would cost more than most calls.
    const server = new Server(serverInfo, {
      capabilities: { tools: {}, prompts: {}, resources: subscribes ? { subscribe: true } : {}, completions: {} },
      instructions: instructionsFor(holder),
    });
    const callIn =
      ({ mcpReq: { signal, _meta } }: ServerContext) =>
      (entry: ToolEntry, input: unknown) => {
        const { trace, ...from } = caller();
        const own = readTraceContext(_meta?.['traceparent'], _meta?.['tracestate']);
        return callTool(entry, input, execute, { ...from, trace: own ?? trace, signal });
      };
    server.setRequestHandler('tools/list', ({ params }) => onePage(params, { tools }));
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const entry = byName.get(params.name);
      if (entry === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, toolsets.missing(params.name));
      return toResult(await callIn(context)(entry, params.arguments));
    });
    server.setRequestHandler('prompts/list', ({ params }) => onePage(params, { prompts: listPrompts(catalogue) }));
    server.setRequestHandler('prompts/get', ({ params }) => getPrompt(catalogue, params.name, params.arguments));
    server.setRequestHandler('resources/list', ({ params }) =>
      onePage(params, { resources: listResources(catalogue) }),
    );
    server.setRequestHandler('resources/templates/list', ({ params }) =>
      onePage(params, { resourceTemplates: listResourceTemplates(catalogue) }),
    );
    server.setRequestHandler('resources/read', ({ params }, context) =>
      readResource(catalogue, params.uri, callIn(context)),
    );
    server.setRequestHandler('completion/complete', async ({ params: { argument } }, context) => ({
      completion: await complete(catalogue, argument, callIn(context)),
    }));
    return server;
  };
}

/** A list that comes whole: no answer has had a cursor. */
function onePage<List>(params: { readonly cursor?: string | undefined } | undefined, list: List): List {
  if (params?.cursor === undefined) return list;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'cursor: none was given out; the list comes as one page');
}

function toResult(outcome: ToolOutcome): CallToolResult {
  return 'json' in outcome
    ? { structuredContent: outcome.answer, content: [{ type: 'text', text: outcome.json }] }
    : { isError: true, content: outcome.errors.map((text) => ({ type: 'text', text })) };
}
