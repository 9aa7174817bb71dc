import { Client, type McpSubscription, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildProgram } from '../support/build.js';
import { type StartedGateway, startGateway } from '../support/gateway.js';
import { type FakeUpstream, startUpstream } from '../support/upstream.js';

const everything = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true } as const;

let upstream: FakeUpstream;
let gateway: StartedGateway;
beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({ serviceUrl: upstream.url });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

async function connect(transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** Opens as many subscriptions as asked, one after the other. */
async function listen(client: Client, times: number): Promise<McpSubscription[]> {
  const open: McpSubscription[] = [];
  for (let each = 0; each < times; each += 1) open.push(await client.listen(everything));
  return open;
}

test('over HTTP a subscription is acknowledged and ended by the server: no stream stays open, however many are asked for', async () => {
  const client = await connect(new StreamableHTTPClientTransport(new URL('/mcp', gateway.url)));
  for (const subscription of await listen(client, 40)) {
    expect(subscription.honoredFilter).toEqual({});
    expect(await subscription.closed).toBe('graceful');
  }
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
});

test('over stdio sixteen subscriptions are acknowledged and silent, the next is refused, and a cancelled one makes place', async () => {
  const router = await buildProgram('src/bin/mcp-router.ts');
  const env = { SERVICE_API_URL: upstream.url, SERVICE_API_KEY: 'k'.repeat(77) };
  const client = await connect(new StdioClientTransport({ command: process.execPath, args: [router], env }));
  const [first, ...others] = await listen(client, 16);
  expect([first, ...others].map((each) => each?.honoredFilter)).toEqual(Array.from({ length: 16 }, () => ({})));
  await expect(client.listen(everything)).rejects.toThrow('Subscription limit reached');
  await first?.close();
  expect((await client.listen(everything)).honoredFilter).toEqual({});
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
});
