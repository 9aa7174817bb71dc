import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { Agent, request } from 'undici';
import { afterAll, expect, test } from 'vitest';
import { shutDown } from '../../../src/gateway/http/shutdown.js';
import { eventually } from '../../support/eventually.js';
import { portOf } from '../../support/upstream.js';

const agent = new Agent();
afterAll(() => agent.close());

async function listen(waiting: ServerResponse[]) {
  const server = createServer((_req, res) => waiting.push(res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${portOf(server.address())}` };
}

test('finishes what runs, accepts nothing new, then closes the rest in order', async () => {
  const waiting: ServerResponse[] = [];
  const { server, url } = await listen(waiting);
  const running = request(url, { dispatcher: agent });
  await eventually(() => expect(waiting).toHaveLength(1));
  const closed: string[] = [];
  const done = shutDown({ server, closers: [async () => closed.push('first'), async () => closed.push('second')] });
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  expect(closed).toEqual([]);
  waiting[0]?.end('done');
  expect(await (await running).body.text()).toBe('done');
  expect(await done).toBe('finished');
  expect(closed).toEqual(['first', 'second']);
});

test('cuts off what takes longer than the grace', async () => {
  const waiting: ServerResponse[] = [];
  const { server, url } = await listen(waiting);
  const running = request(url).catch((error: unknown) => error);
  await eventually(() => expect(waiting).toHaveLength(1));
  const closed: string[] = [];
  expect(await shutDown({ server, closers: [async () => closed.push('closed')], graceMs: 50 })).toBe('cut off');
  expect(await running).toBeInstanceOf(Error);
  expect(closed).toEqual(['closed']);
});
