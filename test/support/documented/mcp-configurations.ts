import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import * as z from 'zod';
import type { BareMachine } from './bare-machine.js';

const entry = z.union([
  z.strictObject({ command: z.string(), args: z.array(z.string()), env: z.record(z.string(), z.string()) }),
  z.strictObject({ type: z.literal('http'), url: z.url(), headers: z.record(z.string(), z.string()) }),
]);
/** How a client is told to reach one server: by a program, or by an address. */
export type ServerEntry = z.infer<typeof entry>;

/** Claude, Cursor and most others; VS Code. */
const file = z.union([
  z.strictObject({ mcpServers: z.strictObject({ postern: entry }) }).transform(({ mcpServers }) => mcpServers.postern),
  z
    .strictObject({ servers: z.strictObject({ postern: entry }), inputs: z.array(z.unknown()) })
    .transform(({ servers }) => servers.postern),
]);

/** The configurations in a text: every JSON that begins and ends on lines of its own, and names servers. */
export function configurationsIn(text: string): ServerEntry[] {
  const found = [...text.matchAll(/^\{\n[\s\S]*?^\}$/gm)].map(([json]) => json);
  return found.filter((json) => /"(?:mcpServers|servers)"/.test(json)).map((json) => file.parse(JSON.parse(json)));
}

/** What a reader puts in: a key, and the address of the server where the text has the usual one. */
export function filledIn(text: string, key: string, url: string): string {
  return text.replaceAll('<API key>', key).replaceAll(`$\{input:key}`, key).replaceAll('http://127.0.0.1:3000', url);
}

const claudeWords = /^mcp\nadd\n--transport\nhttp\npostern\n(.+)\n--header\n([\w-]+): (.+)\n$/;

/** What a command for Claude Code tells it, after the shell has read the words. */
export async function toldToClaude(command: string, key: string, machine: BareMachine): Promise<ServerEntry> {
  const script = `claude() { printf '%s\\n' "$@"; }\n${command}`;
  const { output } = await machine.run(script, await machine.folder(), { POSTERN_KEY: key });
  const [, url, name, value] = claudeWords.exec(output) ?? [];
  if (url === undefined || name === undefined || value === undefined) throw new Error(`other words: ${output}`);
  return { type: 'http', url, headers: { [name]: value } };
}

const tried = new Map<string, Promise<number>>();

/**
 * Connects as a client does that has this configuration, lists the tools, and asks one. Answers how many tools there are. What is
 * printed in several places is tried once.
 */
export function toolsBy(configured: ServerEntry, machine: BareMachine): Promise<number> {
  const known = JSON.stringify(configured);
  const tools = tried.get(known) ?? connectAndAsk(configured, machine);
  tried.set(known, tools);
  return tools;
}

async function connectAndAsk(configured: ServerEntry, machine: BareMachine): Promise<number> {
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(await transportOf(configured, machine));
  try {
    const { tools } = await client.listTools();
    const answer = await client.callTool({ name: 'get_posture_summary', arguments: {} });
    if (answer.isError) throw new Error(JSON.stringify(answer.content));
    return tools.length;
  } finally {
    await client.close();
  }
}

async function transportOf(configured: ServerEntry, machine: BareMachine): Promise<Transport> {
  if ('url' in configured) {
    return new StreamableHTTPClientTransport(new URL(configured.url), { requestInit: { headers: configured.headers } });
  }
  // A desktop client starts it in a folder of its own choice.
  const env = { ...machine.env, ...configured.env };
  return new StdioClientTransport({ ...configured, env, cwd: await machine.folder(), stderr: 'ignore' });
}
