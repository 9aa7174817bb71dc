import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import * as z from 'zod';
import type { CallTool } from './question.js';

const tool = z.object({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.json()) });

/** A tool as a model sees it. */
export type VisibleTool = z.output<typeof tool>;

export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The tools of a server in the hands of one agent for one question. */
export interface Tools {
  readonly visible: readonly VisibleTool[];
  /** The text of the answer, also of a refusal. */
  call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly text: string; readonly isError: boolean }>;
  readonly calls: readonly ToolCall[];
  /** Tokens (o200k) of the arguments and answers so far. */
  readonly tokens: () => number;
}

export interface Server {
  /** Hands the tools to one more agent: what it calls is counted apart. */
  readonly handOut: () => Tools;
  readonly close: () => Promise<void>;
}

const answer = z.object({ content: z.array(z.object({ text: z.string() })), isError: z.boolean().default(false) });

/** Connects to the MCP endpoint of the server at `url` with an API key. */
export async function connect(url: string, key: string): Promise<Server> {
  const client = new Client({ name: 'postern-evals', version: '0' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  const visible = z.array(tool).parse((await client.listTools()).tools);
  return {
    close: () => client.close(),
    handOut() {
      const calls: ToolCall[] = [];
      let tokens = 0;
      return {
        visible,
        calls,
        tokens: () => tokens,
        async call(name, input) {
          calls.push({ tool: name, input });
          const { content, isError } = answer.parse(await client.callTool({ name, arguments: input }));
          const text = content.map((each) => each.text).join('\n');
          tokens += countTokens(JSON.stringify(input)) + countTokens(text);
          return { text, isError };
        },
      };
    },
  };
}

/** For walks: a refusal ends them. */
export function reading(tools: Tools): CallTool {
  return async (name, input, shape) => {
    const { text, isError } = await tools.call(name, input);
    if (isError) throw new Error(`${name} ${JSON.stringify(input)}: ${text}`);
    return shape.parse(JSON.parse(text));
  };
}
