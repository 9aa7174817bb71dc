import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToolsets, triage } from '../../../src/gateway/mcp/toolsets.js';
import { toolOrder } from '../../clients/tool-order.js';
import { type StartedGateway, startGateway } from '../../support/gateway.js';
import { answerSample, everyProcedure, type FakeUpstream, startUpstream } from '../../support/upstream.js';
import { both } from './requests.js';

const toolsets = createToolsets();
const namesOf = (...asked: string[]) => toolsets.choose(asked).tools.map(({ name }) => name);
const everyTool = everyProcedure.flatMap(([, { tool }]) => tool ?? []);

describe('a choice', () => {
  test('of nothing is the specification’s tools in their order', () => {
    expect(namesOf()).toEqual(toolOrder);
    expect(namesOf('default')).toEqual(toolOrder);
  });

  test('of all holds every tool, in the definitions’ order', () => {
    expect(namesOf('all')).toEqual(everyTool);
    expect(everyTool.length).toBeGreaterThan(toolOrder.length);
  });

  test('of the domains together is all', () => {
    const domains = toolsets.names.filter((name) => !['default', 'all', 'triage', 'readonly'].includes(name));
    expect(domains).toEqual(
      expect.arrayContaining([
        ...['organisation', 'projects', 'alerts', 'code', 'running_app', 'containers'],
        ...['reachability', 'packages', 'webhooks', 'intelligence', 'posture', 'remediation'],
      ]),
    );
    expect(namesOf(...domains)).toEqual(everyTool);
    expect(domains.map((domain) => namesOf(domain).length).reduce((sum, each) => sum + each)).toBe(everyTool.length);
  });

  test('of several is what any of them holds, each once', () => {
    expect(namesOf('containers', 'code', 'containers')).toEqual([
      ...['list_sast_findings', 'list_sast_scan_jobs'],
      ...['list_container_images', 'list_container_findings', 'get_base_image_advice'],
    ]);
  });

  test.each([['readonly'], ['readonly', 'all'], ['webhooks', 'readonly']])('with %s holds reads alone', (...asked) => {
    const all = toolsets.choose(asked.filter((name) => name !== 'readonly'));
    const reads = all.tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
    expect(toolsets.choose(asked).tools).toEqual(reads);
    expect(reads.length).toBeLessThan(all.tools.length);
  });

  test('of triage finds each of its tools among the definitions', () => {
    expect(namesOf('triage').toSorted()).toEqual([...triage].toSorted());
    expect(namesOf('triage')).not.toContain('delete_project');
  });

  test('is the same object whoever asks, and only some are kept', () => {
    const first = toolsets.choose(['alerts', 'code']);
    expect(toolsets.choose(['code', 'alerts', 'code'])).toBe(first);
    const names = toolsets.names.filter((name) => name !== 'alerts' && name !== 'code');
    for (const name of names) toolsets.choose([name]);
    for (const name of names) toolsets.choose([name, 'alerts']);
    expect(toolsets.choose(['alerts', 'code'])).not.toBe(first);
    expect(toolsets.choose(['alerts', 'code'])).toEqual(first);
  });

  test('of a name that is none is an error that lists the names, and does not repeat it', () => {
    for (const name of ['x<script>', '__proto__', 'constructor', 'alert'])
      expect(() => toolsets.choose(['alerts', name])).toThrow(
        `there is no such toolset: the toolsets are ${toolsets.names.join(', ')}`,
      );
  });
});

describe('over HTTP', () => {
  let upstream: FakeUpstream;
  let gateway: StartedGateway;
  beforeAll(async () => {
    upstream = await startUpstream(answerSample);
    gateway = await startGateway({ serviceUrl: upstream.url });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
  });

  const ask = async (
    query: string,
    header?: string | Readonly<Record<string, string>>,
    method = 'tools/list',
    params: object = {},
  ) => {
    const response = await fetch(`${gateway.url}/mcp${query}`, {
      method: 'POST',
      headers: {
        accept: both,
        'content-type': 'application/json',
        ...(typeof header === 'string' ? { 'x-mcp-toolsets': header } : header),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? 'null') };
  };
  const listed = async (query: string, header?: Parameters<typeof ask>[1]): Promise<string[]> =>
    (await ask(query, header)).body.result.tools.map(({ name }: { name: string }) => name);

  test('address and header are one list', async () => {
    expect(await listed('')).toEqual(toolOrder);
    expect(await listed('?toolsets=', '')).toEqual(toolOrder);
    expect(await listed('?other=x')).toEqual(toolOrder);
    expect(await listed('?toolsets=code')).toEqual(namesOf('code'));
    expect(await listed('?toolsets=code,alerts&toolsets=webhooks')).toEqual(namesOf('alerts', 'code', 'webhooks'));
    expect(await listed('?toolsets=code%2Calerts')).toEqual(namesOf('alerts', 'code'));
    expect(await listed('?toolsets=all', 'readonly')).toEqual(namesOf('all', 'readonly'));
  });

  test('X-MCP-Readonly leaves out what writes, whatever else is chosen', async () => {
    for (const on of ['true', 'True']) expect(await listed('', { 'x-mcp-readonly': on })).toEqual(namesOf('readonly'));
    expect(await listed('', { 'x-mcp-readonly': 'false' })).toEqual(toolOrder);
    expect(await listed('?toolsets=webhooks', { 'x-mcp-readonly': 'true', 'x-mcp-toolsets': 'code' })).toEqual(
      namesOf('webhooks', 'code', 'readonly'),
    );
    expect(await listed('?toolsets=readonly', { 'x-mcp-readonly': 'false' })).toEqual(namesOf('readonly'));
    const call = { name: 'delete_project', arguments: { project_id: 'p' } };
    const { body } = await ask('', { 'x-mcp-readonly': 'true' }, 'tools/call', call);
    expect(body.error).toMatchObject({ code: -32602 });
    for (const odd of ['', 'yes', '1', 'true, false']) {
      const { status, body: refused } = await ask('', { 'x-mcp-readonly': odd });
      expect([status, refused.error.message]).toEqual([400, 'X-MCP-Readonly takes true or false']);
    }
  });

  test.each(['tools/list', 'tools/call', 'initialize', 'ping'])(
    '%s with an unknown toolset is refused',
    async (method) => {
      const { status, body } = await ask('?toolsets=code,everything', undefined, method);
      expect(status).toBe(400);
      expect(body).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32600,
          message: expect.stringContaining('the toolsets are default, all, triage, organisation'),
        },
      });
    },
  );

  test('a tool outside of the choice is not called, and its toolset is named', async () => {
    upstream.seen.length = 0;
    const call = { name: 'delete_project', arguments: { project_id: 'p' } };
    const { body } = await ask('?toolsets=readonly,all', undefined, 'tools/call', call);
    expect(body.error).toEqual({
      code: -32602,
      message:
        'the chosen toolsets do not hold this tool: it is in projects and all, and readonly leaves out what writes',
    });
    const beyond = await ask('', undefined, 'tools/call', { name: 'search', arguments: { q: 'xx' } });
    expect(beyond.body.error).toMatchObject({ code: -32602 });
    expect(upstream.seen).toEqual([]);
  });
});
