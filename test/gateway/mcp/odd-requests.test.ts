import { afterAll, beforeAll, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { type StartedGateway, startGateway } from '../../support/gateway.js';
import { type FakeUpstream, startUpstream } from '../../support/upstream.js';
import { post } from './both-ways.js';
import { credential, eras, legacy, modern } from './requests.js';

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

async function answerTo({ headers, body }: ReturnType<typeof legacy>): Promise<unknown> {
  const { text } = await post(gateway, { headers, body });
  return JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? '');
}

const clientInfo = { name: 'test', version: '0' };

test.each([
  [{ protocolVersion: 1, capabilities: {}, clientInfo }, /^protocolVersion: a text/],
  [{ protocolVersion: '2025-11-25', capabilities: null, clientInfo }, /^capabilities: an object/],
  [{ protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x' } }, /^clientInfo: .*version/],
  [undefined, /^protocolVersion: .*; capabilities: .*; clientInfo: /],
])('a handshake with %j is told what is wrong with it', async (params, message) => {
  const { error } = Object(await answerTo(legacy('initialize', params)));
  expect(error).toEqual({ code: -32602, message: expect.stringMatching(message) });
});

test.each(Object.entries(eras))('a cursor that nobody gave out is refused, %s', async (_era, build) => {
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
    const answer = await answerTo(build(method, { cursor: 'x' }));
    expect(at(answer, 'error'), method).toEqual({ code: -32602, message: expect.stringContaining('one page') });
    expect(at(await answerTo(build(method, {})), 'error'), method).toBeUndefined();
  }
});

test('a handshake of the revision that has none is told that there is no such method', async () => {
  expect(at(await answerTo(modern('initialize', {})), 'error.code')).toBe(-32601);
});

test.each(Object.entries(eras))('arguments that are null are none, %s', async (_era, build) => {
  const none = await answerTo(build('tools/call', { name: 'list_projects' }));
  expect(await answerTo(build('tools/call', { name: 'list_projects', arguments: null }))).toEqual(none);
  expect(at(none, 'result.structuredContent')).toBeDefined();
});

test.each(['*/*', 'text/html, */*', undefined])('a client that takes %j is served', async (accept) => {
  for (const build of Object.values(eras)) {
    const { headers, body } = build('tools/call', { name: 'list_projects', arguments: {} });
    const { accept: _both, ...rest } = headers;
    const answer = await fetch(`${gateway.url}/mcp`, {
      method: 'POST',
      headers: {
        ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
        ...credential,
        'content-type': 'application/json',
        ...(accept !== undefined && { accept }),
      },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('structuredContent');
  }
});
