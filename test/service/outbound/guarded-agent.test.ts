import { once } from 'node:events';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { ForbiddenAddressError, guardedAgent, publicLookup } from '../../../src/service/outbound/guarded-agent.js';
import { portOf } from '../../support/upstream.js';

const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((each) => each?.address === '::1');

async function receiver(host = '127.0.0.1') {
  let connections = 0;
  const server = createServer((_, res) => res.end());
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: portOf(server.address()), connections: () => connections };
}

test.each(['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', 'localhost', '0.0.0.0'])(
  'no connection is made to %s',
  async (host) => {
    const { port, connections } = await receiver();
    const agent = guardedAgent(new Set(), 2_000);
    onTestFinished(() => agent.close());
    await expect(request(`http://${host}:${port}/`, { dispatcher: agent })).rejects.toThrow(ForbiddenAddressError);
    expect(connections()).toBe(0);
  },
);

test('one is made to an allowed host, by address or by name', async () => {
  const { port, connections } = await receiver();
  const agent = guardedAgent(new Set([`127.0.0.1:${port}`, `localhost:${port}`]), 2_000);
  onTestFinished(() => agent.close());
  for (const host of ['127.0.0.1', 'localhost']) {
    const { statusCode, body } = await request(`http://${host}:${port}/`, { dispatcher: agent });
    await body.dump();
    expect(statusCode).toBe(200);
  }
  expect(connections()).toBe(2);
});

test.each([true, false])('a name whose addresses are not all public is refused (all: %s)', async (all) => {
  const error = await new Promise((resolve) => publicLookup('localhost', { all }, resolve));
  expect(error).toBeInstanceOf(ForbiddenAddressError);
});

test.skipIf(!hasIPv6)('an IPv6 address is allowed as a URL has it, in brackets', async () => {
  const { port, connections } = await receiver('::1');
  for (const [allowed, expected] of [
    [`[::1]:${port}`, 1],
    [`[::1]:${port + 1}`, 1],
  ] as const) {
    const agent = guardedAgent(new Set([allowed]), 2_000);
    onTestFinished(() => agent.close());
    await request(`http://[::1]:${port}/`, { dispatcher: agent }).catch((error: unknown) =>
      expect(error).toBeInstanceOf(ForbiddenAddressError),
    );
    expect(connections()).toBe(expected);
  }
});
