import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { at } from '../../support/at.js';
import { buildProgram } from '../../support/build.js';
import { type FakeUpstream, startUpstream } from '../../support/upstream.js';

let upstream: FakeUpstream;
let router: string;
beforeAll(async () => {
  upstream = await startUpstream();
  router = await buildProgram('src/bin/mcp-router.ts');
});
afterAll(() => upstream.close());

/** A client that writes lines as they are, and reads an answer for each. */
function start() {
  const child: ChildProcess = spawn(process.execPath, [router], {
    env: { SERVICE_API_URL: upstream.url, SERVICE_API_KEY: 'k'.repeat(77) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.stdin?.end();
    if (child.exitCode === null) await once(child, 'exit');
  });
  if (child.stdout === null) throw new Error('a process without output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  return async (method: string, params?: unknown): Promise<unknown> => {
    id += 1;
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const { value } = await lines.next();
    const answer: unknown = JSON.parse(value);
    expect(at(answer, 'id')).toBe(id);
    return answer;
  };
}

const clientInfo = { name: 'test', version: '0' };
const good = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };

test('over stdio a wrong handshake is told what is wrong with it, and a good one may follow', async () => {
  const ask = start();
  expect(at(await ask('initialize', { ...good, protocolVersion: 1 }), 'error')).toEqual({
    code: -32602,
    message: expect.stringMatching(/^protocolVersion: a text/),
  });
  expect(at(await ask('initialize', { ...good, clientInfo: { name: 'x', version: 2 } }), 'error')).toEqual({
    code: -32602,
    message: expect.stringMatching(/^clientInfo: /),
  });
  expect(at(await ask('initialize', good), 'result.serverInfo.name')).toBe('postern');
});

test('over stdio a cursor that nobody gave out is refused', async () => {
  const ask = start();
  await ask('initialize', good);
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
    expect(at(await ask(method, { cursor: 'x' }), 'error'), method).toEqual({
      code: -32602,
      message: expect.stringContaining('one page'),
    });
    expect(at(await ask(method, {}), 'error'), method).toBeUndefined();
  }
});

test('over stdio arguments that are null are none', async () => {
  const ask = start();
  await ask('initialize', good);
  const none = await ask('tools/call', { name: 'list_projects' });
  const given = await ask('tools/call', { name: 'list_projects', arguments: null });
  expect(at(none, 'result.structuredContent')).toBeDefined();
  expect(at(given, 'result')).toEqual(at(none, 'result'));
});
