import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { emptyFolder } from '../bin/running-postern.js';
import { buildProgram } from '../support/build.js';
import { node22 } from '../support/node-22.js';
import { startPostern, type TestPostern } from '../support/postern.js';
import type { TestOrganisation } from '../support/service.js';
import { toolOrder } from './tool-order.js';

const folder = path.join(import.meta.dirname, 'foreign');
const report = z.object({
  tools: z.array(z.string()),
  outcomes: z.array(z.object({ isError: z.boolean(), text: z.string() })),
});
type Report = z.output<typeof report>;

let postern: TestPostern;
let organisation: TestOrganisation;
let router: string;
let node: string;
beforeAll(async () => {
  postern = await startPostern();
  organisation = await postern.newOrganisation();
  router = await buildProgram('src/bin/mcp-router.ts');
  node = await node22();
});
afterAll(() => postern.close());

/** A read, a write that the read-only key may not do, and a read of what is not there. */
const calls = [
  { name: 'get_org', input: {} },
  { name: 'create_project', input: { name: 'By a reader' } },
  { name: 'get_project', input: { project_id: '018f3b5e-1111-7000-8000-000000000000' } },
];

function wayIn(transport: string): object {
  return transport === 'HTTP'
    ? { transport, url: `${postern.url}/mcp`, headers: { Authorization: `Bearer ${organisation.readKey}` } }
    : {
        transport,
        command: process.execPath,
        args: [router],
        env: { SERVICE_API_URL: postern.url, SERVICE_API_KEY: organisation.readKey },
      };
}

async function runLibrary(library: string, transport: string): Promise<Report> {
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', path.join(folder, 'program.ts')], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
  });
  child.stdin.end(JSON.stringify({ library, way: wayIn(transport), calls }));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect(child.exitCode, stderr).toBe(0);
  return report.parse(JSON.parse(stdout));
}

/** mcp-remote is no client of its own: it makes a program with stdio of an address, for a client that has stdio only. */
async function runMcpRemote(): Promise<Report> {
  // It keeps files in its user's home.
  const home = await emptyFolder();
  const client = new Client({ name: 'test', version: '0' });
  const proxy = path.join(folder, 'node_modules/mcp-remote/dist/proxy.js');
  await client.connect(
    new StdioClientTransport({
      command: node,
      args: [proxy, `${postern.url}/mcp`, '--transport', 'http-only', '--header', 'Authorization:${POSTERN_KEY}'],
      env: { HOME: home, PATH: process.env['PATH'] ?? '', POSTERN_KEY: `Bearer ${organisation.readKey}` },
      stderr: 'ignore',
    }),
  );
  const { tools } = await client.listTools();
  const outcomes = [];
  for (const { name, input } of calls) {
    const { isError, content } = await client.callTool({ name, arguments: input });
    const texts = z.array(z.object({ text: z.string() })).parse(content);
    outcomes.push({ isError: isError === true, text: texts.map((each) => each.text).join('\n') });
  }
  await client.close();
  return { tools: tools.map(({ name }) => name), outcomes };
}

function expectAnswers({ tools, outcomes: [read, refused, failed] }: Report): void {
  expect(tools).toEqual(toolOrder);
  expect(read).toMatchObject({ isError: false, text: expect.stringContaining(organisation.id) });
  expect(refused).toMatchObject({
    isError: true,
    text: expect.stringContaining('this API key is read-only or lacks permission'),
  });
  expect(failed).toMatchObject({ isError: true, text: expect.stringContaining('not found') });
}

describe.each(['@ai-sdk/mcp', '@openai/agents', '@langchain/mcp-adapters'])('%s', (library) => {
  test.each(['HTTP', 'stdio'])(
    'lists, reads, and hears of a refused write and a failing tool, over %s',
    async (way) => {
      expectAnswers(await runLibrary(library, way));
    },
  );
});

test('mcp-remote passes on the tools, a read, a refused write and a failing tool', async () => {
  expectAnswers(await runMcpRemote());
});
