import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { MCPServerStdio, MCPServerStreamableHttp } from '@openai/agents';

/** How a library gets in: over HTTP with these headers, or by starting a program. */
export type WayIn =
  | { readonly transport: 'HTTP'; readonly url: string; readonly headers: Record<string, string> }
  | {
      readonly transport: 'stdio';
      readonly command: string;
      readonly args: string[];
      readonly env: Record<string, string>;
    };

/** What a call came to, in the words that the library gives to its caller. */
export interface Outcome {
  readonly isError: boolean;
  readonly text: string;
}

export interface ForeignClient {
  readonly toolNames: () => Promise<string[]>;
  readonly call: (name: string, input: Record<string, unknown>) => Promise<Outcome>;
  readonly close: () => Promise<void>;
}

type Content = ReadonlyArray<{ readonly type: string; readonly text?: unknown }>;

function textOf(content: Content): string {
  return content.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}

async function connectAiSdk(way: WayIn): Promise<ForeignClient> {
  const client = await createMCPClient({
    transport:
      way.transport === 'HTTP'
        ? { type: 'http', url: way.url, headers: way.headers }
        : new Experimental_StdioMCPTransport({ command: way.command, args: way.args, env: way.env, stderr: 'ignore' }),
  });
  return {
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, input) => {
      const result = await client.callTool({ name, arguments: input });
      if (!('content' in result) || !Array.isArray(result.content)) throw new Error('the result has no content');
      return { isError: result.isError === true, text: textOf(result.content) };
    },
    close: () => client.close(),
  };
}

async function connectOpenAi(way: WayIn): Promise<ForeignClient> {
  const server =
    way.transport === 'HTTP'
      ? new MCPServerStreamableHttp({ url: way.url, requestInit: { headers: way.headers } })
      : new MCPServerStdio({ command: way.command, args: way.args, env: way.env });
  await server.connect();
  return {
    toolNames: async () => (await server.listTools()).map(({ name }) => name),
    call: async (name, input) => {
      const { isError, content } = await server.callToolResult(name, input);
      return { isError: isError === true, text: textOf(content) };
    },
    close: () => server.close(),
  };
}

/** Its tools throw where a call failed. */
async function connectLangChain(way: WayIn): Promise<ForeignClient> {
  const postern =
    way.transport === 'HTTP'
      ? { transport: 'http' as const, url: way.url, headers: way.headers }
      : { transport: 'stdio' as const, command: way.command, args: way.args, env: way.env };
  const client = new MultiServerMCPClient({ mcpServers: { postern } });
  const tools = await client.getTools();
  return {
    toolNames: async () => tools.map(({ name }) => name),
    call: async (name, input) => {
      const tool = tools.find((each) => each.name === name);
      if (tool === undefined) throw new Error(`there is no tool ${name}`);
      try {
        const answer: unknown = await tool.invoke(input);
        return { isError: false, text: typeof answer === 'string' ? answer : JSON.stringify(answer) };
      } catch (error) {
        return { isError: true, text: error instanceof Error ? error.message : String(error) };
      }
    },
    close: () => client.close(),
  };
}

export const libraries = {
  '@ai-sdk/mcp': connectAiSdk,
  '@openai/agents': connectOpenAi,
  '@langchain/mcp-adapters': connectLangChain,
};
