import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { keepFields, keptFields, toolOutput } from '../../src/gateway/mcp/tool-form.js';
import { textsOf } from '../../src/gateway/untrusted/mark-texts.js';
import type { AnyProcedure } from '../../src/procedures/define.js';
import { isRecord } from '../../src/shared/json/is-record.js';
import { buildProgram } from '../support/build.js';
import { eventually } from '../support/eventually.js';
import { type StartedGateway, startGateway } from '../support/gateway.js';
import { sampleInputOf, sampleOf } from '../support/sample.js';
import { sampleAnswerOf } from '../support/sample-answer.js';
import { unquoted } from '../support/unquoted.js';
import { answerJson, everyProcedure, type FakeUpstream, procedureOf, startUpstream } from '../support/upstream.js';
import { type AnyClient, clients, type Place, type WayIn, wayIn } from './connect.js';
import { toolOrder } from './tool-order.js';

const key = 'k'.repeat(77);

let upstream: FakeUpstream;
let gateway: StartedGateway;
let router: string;
beforeAll(async () => {
  upstream = await startUpstream((res, seen) => {
    if (seen.headers.authorization === `Bearer ${key}`) answerJson(res, 200, sampleOf(procedureOf(seen).output));
    else answerJson(res, 401, {});
  });
  gateway = await startGateway({ serviceUrl: upstream.url });
  router = await buildProgram('src/bin/mcp-router.ts');
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const place = (): Place => ({ url: gateway.url, serviceUrl: upstream.url, router });

describe.each(['HTTP', 'stdio'] as const)('over %s', (transport) => {
  describe.each(clients)('%s', (_name, connect) => {
    let client: AnyClient;
    beforeAll(async () => {
      client = await connect(wayIn(transport, place(), key));
    });
    afterAll(() => client.close());

    test('meets postern 0.1.0 and its instructions', () => {
      expect(client.getServerVersion()).toMatchObject({ name: 'postern', version: '0.1.0' });
      const instructions = client.getInstructions() ?? '';
      expect(instructions.split(/\s+/).length).toBeLessThan(150);
      const named = instructions.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
      expect(named.length).toBeGreaterThan(0);
      const known: readonly string[] = [...toolOrder, 'next_cursor', 'as_of'];
      expect(named.filter((name) => !known.includes(name))).toEqual([]);
    });

    test('lists the tools in order and calls each, with answers that fit their schemas', async () => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(toolOrder);
      for (const [path, procedure] of everyProcedure) {
        if (procedure.tool === undefined || !tools.some(({ name }) => name === procedure.tool)) continue;
        // Agents get no cursor for each row.
        const { cursors: _cursors, ...expected } = z.looseObject({}).parse(await sampleAnswerOf(procedure));
        const answer = await client.callTool({ name: procedure.tool, arguments: sampleInputOf(procedure.input) });
        const shown = answer['structuredContent'];
        // Samples are texts outside most grammars.
        const asWritten = unquoted(shown, textsOf(toolOutput(procedure)));
        expect(asWritten, path).toMatchObject(z.record(z.string(), z.unknown()).parse(inSummary(procedure, expected)));
        expect(answer, path).toMatchObject({ content: [{ type: 'text', text: JSON.stringify(shown) }] });
        expect(answer['isError'] ?? false).toBe(false);
      }
    });

    test('gets errors as text, and an unknown tool as a protocol error', async () => {
      const wrong = await client.callTool({ name: 'get_project', arguments: { project: 'p' } });
      expect(wrong).toMatchObject({
        isError: true,
        content: [{ text: 'project_id: is required (string); project: is not known; it takes project_id' }],
      });
      expect(wrong).not.toHaveProperty('structuredContent');
      await expect(client.callTool({ name: 'drop_everything', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    });
  });

  test.each(clients)('%s without a key lists tools, and every call fails to authenticate', async (_name, connect) => {
    const client = await connect(wayIn(transport, place(), undefined));
    expect((await client.listTools()).tools).toHaveLength(toolOrder.length);
    expect(await client.callTool({ name: 'get_org', arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: 'authentication failed' }],
    });
    expect(client.getInstructions()).toMatch(/^No API key came .* Settings, API keys; .*SERVICE_API_KEY/);
    await client.close();
  });

  test.each(clients)(
    '%s with a blank key, as of a variable that is not set, is told the same',
    async (_name, connect) => {
      const client = await connect(wayIn(transport, place(), ''));
      expect(client.getInstructions()).toMatch(/^No API key came/);
      await client.close();
    },
  );

  test.each(clients)('%s chooses toolsets, and can call no tool outside of them', async (_name, connect) => {
    const client = await connect(withToolsets(wayIn(transport, place(), key), 'alerts, ReadOnly'));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['list_alerts', 'get_alert', 'list_alert_history']);
    expect(client.getInstructions()).toMatch(/^Vulnerability posture/);
    for (const name of ['acknowledge_alert', 'get_org'])
      await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('the chosen toolsets do not hold this tool'),
      });
    await client.close();
  });
});

/** The rows that a tool shows where nobody asks for full ones. */
function inSummary(procedure: AnyProcedure, answer: unknown): unknown {
  const kept = keptFields(procedure);
  if (kept === null || !isRecord(answer)) return answer;
  return {
    ...answer,
    items: z
      .array(z.unknown())
      .parse(answer['items'])
      .map((row) => keepFields(row, kept)),
  };
}

/** HTTP asks by header here; the address is asked in test/gateway/mcp/toolsets.test.ts. */
function withToolsets(way: WayIn, toolsets: string): WayIn {
  return way.transport === 'HTTP'
    ? { ...way, headers: { ...way.headers, 'x-mcp-toolsets': toolsets } }
    : { ...way, env: { ...way.env, POSTERN_TOOLSETS: toolsets } };
}

test.each(clients)(
  '%s cannot connect with a toolset that does not exist, and learns which do',
  async (_name, connect) => {
    const way = withToolsets(wayIn('HTTP', place(), key), 'alerts,alarms');
    await expect(connect(way)).rejects.toThrow(
      // A pinned client says only that it was refused.
      /there is no such toolset: the toolsets are default, all, triage, |did not offer pinned protocol version/,
    );
  },
);

describe('mcp-router', () => {
  async function run(args: string[], env: Record<string, string>, input: string) {
    const child = spawn(process.execPath, [router, ...args], { env: { ...env } });
    child.stdin.end(input);
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { code: child.exitCode, stdout, stderr };
  }

  test('says on stderr that the key is missing, and ends when its input ends', async () => {
    expect(await run([], { SERVICE_API_URL: upstream.url }, '')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'mcp-router: SERVICE_API_KEY is not set, so every tool call will answer "authentication failed"\n',
    });
  });

  test('refuses a toolset that does not exist, from option or environment, and the option wins', async () => {
    const reason =
      /^mcp-router: POSTERN_TOOLSETS is not known: there is no such toolset: the toolsets are default, all/;
    const byOption = await run(['--toolsets', 'alarms'], { POSTERN_TOOLSETS: 'alerts' }, '');
    const byEnvironment = await run([], { POSTERN_TOOLSETS: 'alarms' }, '');
    for (const { code, stderr } of [byOption, byEnvironment]) {
      expect(code).toBe(1);
      expect(stderr).toMatch(reason);
    }
    const list = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })}\n`;
    const chosen = await run(['--toolsets', 'alerts,readonly'], { POSTERN_TOOLSETS: 'alarms' }, list);
    expect(chosen.code).toBe(0);
    const { tools } = JSON.parse(chosen.stdout).result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['list_alerts', 'get_alert', 'list_alert_history']);
  });

  test('writes nothing but JSON-RPC to stdout, also for input that is none', async () => {
    const child = spawn(process.execPath, [router], {
      env: { SERVICE_API_URL: upstream.url, SERVICE_API_KEY: key, LOG_LEVEL: 'debug' },
    });
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    const done = Promise.all([text(child.stderr), once(child, 'exit')]);
    const call = (id: number, method: string, params: unknown) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    child.stdin.write('not json\n{"jsonrpc":"2.0"}\n');
    child.stdin.write(
      call(1, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 't', version: '0' },
      }),
    );
    child.stdin.write(call(2, 'tools/call', { name: 'get_org', arguments: {} }));
    // Input that ends earlier would take the running call along.
    await eventually(() => expect(stdout).toContain('"id":2'));
    child.stdin.end();
    const [stderr] = await done;
    const lines = stdout.split('\n').filter((line) => line !== '');
    expect(lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(lines.map(() => '2.0'));
    expect(stderr).toContain('"procedure":"organisation.get"');
    expect(`${stdout}${stderr}`).not.toContain(key);
    expect(child.exitCode).toBe(0);
  });

  test.each([
    ['ftp://x', 'SERVICE_API_URL is an http or https address such as http://127.0.0.1:3000'],
    ['nonsense', 'SERVICE_API_URL is an http or https address such as http://127.0.0.1:3000'],
    ['http://u:p@x/', 'SERVICE_API_URL must not carry a user name, password, query or fragment'],
  ])('refuses the address %s with the reason', async (url, reason) => {
    expect(await run([], { SERVICE_API_URL: url }, '')).toEqual({
      code: 1,
      stdout: '',
      stderr: `mcp-router: ${reason}\n`,
    });
  });

  test('prints its version and its environment', async () => {
    expect((await run(['--version'], {}, '')).stdout).toBe('0.1.0\n');
    const help = await run(['--help'], {}, '');
    expect(help.stdout).toContain('SERVICE_API_URL');
    expect(help.code).toBe(0);
    expect((await run(['--colour'], {}, '')).code).toBe(1);
  });
});
