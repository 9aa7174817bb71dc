import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as StableClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StableStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as StableHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** What the tests ask of either line of clients. */
export interface AnyClient {
  listTools(): Promise<{ tools: Array<{ name: string }> }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  listPrompts(): Promise<{ prompts: Array<{ name: string }> }>;
  getPrompt(asked: { name: string; arguments?: Record<string, string> }): Promise<Record<string, unknown>>;
  listResources(): Promise<{ resources: Array<{ uri: string }> }>;
  listResourceTemplates(): Promise<{ resourceTemplates: Array<{ uriTemplate: string }> }>;
  readResource(asked: { uri: string }): Promise<Record<string, unknown>>;
  complete(asked: {
    ref: { type: 'ref/prompt'; name: string };
    argument: { name: string; value: string };
  }): Promise<Record<string, unknown>>;
  getServerVersion(): { name: string; version: string } | undefined;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

/** How a client gets in: with these headers, or by starting a program with this environment. */
export type WayIn =
  | { readonly transport: 'HTTP'; readonly url: URL; readonly headers: Record<string, string> }
  | { readonly transport: 'stdio'; readonly router: string; readonly env: Record<string, string> };

/** Where the gateway is, and for stdio the service and the program between. */
export interface Place {
  readonly url: string;
  readonly serviceUrl: string;
  readonly router: string;
}

/** The way in through a transport with a key, or without. */
export function wayIn(
  transport: WayIn['transport'],
  { url, serviceUrl, router }: Place,
  key: string | undefined,
): WayIn {
  return transport === 'HTTP'
    ? { transport, url: new URL('/mcp', url), headers: key === undefined ? {} : { authorization: `Bearer ${key}` } }
    : { transport, router, env: { SERVICE_API_URL: serviceUrl, ...(key !== undefined && { SERVICE_API_KEY: key }) } };
}

type Connect = (way: WayIn) => Promise<AnyClient>;

const connectStable: Connect = async (way) => {
  const client = new StableClient({ name: 'test', version: '0' });
  if (way.transport === 'stdio') await client.connect(new StableStdio(programOf(way)));
  else await client.connect(new StableHttp(way.url, { requestInit: { headers: way.headers } }));
  return client;
};

function connectModern(mode: 'legacy' | 'auto' | { pin: string }): Connect {
  return async (way) => {
    const client = new ModernClient({ name: 'test', version: '0' }, { versionNegotiation: { mode } });
    await client.connect(
      way.transport === 'stdio'
        ? new ModernStdio(programOf(way))
        : new ModernHttp(way.url, { requestInit: { headers: way.headers } }),
    );
    return client;
  };
}

function programOf({ router, env }: Extract<WayIn, { transport: 'stdio' }>) {
  return { command: process.execPath, args: [router], env, stderr: 'ignore' as const };
}

/** Every client in use, by protocol era. */
export const clients: ReadonlyArray<readonly [name: string, connect: Connect]> = [
  ['SDK 1.x', connectStable],
  ['client 2.x, legacy', connectModern('legacy')],
  ['client 2.x, auto', connectModern('auto')],
  ['client 2.x, pinned to 2026-07-28', connectModern({ pin: '2026-07-28' })],
];
