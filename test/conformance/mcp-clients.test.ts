import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanText } from '../../src/gateway/untrusted/untrusted-text.js';
import { reasons } from '../../src/procedures/problem.js';
import { type AnyClient, clients, wayIn } from '../clients/connect.js';
import { toolOrder } from '../clients/tool-order.js';
import { buildProgram } from '../support/build.js';
import { startPostern, type TestPostern } from '../support/postern.js';
import { everyProcedure } from '../support/upstream.js';
import { caseOf } from './cases.js';
import { answerOf, ofWholeRows, transports, transportsOf, withoutNotes } from './transports.js';
import { makeWorld, storeIntelligence, type World } from './world.js';

let postern: TestPostern;
let world: World;
let router: string;
beforeAll(async () => {
  postern = await startPostern();
  world = await makeWorld(postern, await storeIntelligence(postern));
  router = await buildProgram('src/bin/mcp-router.ts');
});
afterAll(() => postern.close());

const tools = everyProcedure.flatMap(([path, procedure]) =>
  procedure.tool === undefined || !toolOrder.some((name) => name === procedure.tool)
    ? []
    : [{ path, procedure, tool: procedure.tool }],
);

describe.each(['HTTP', 'stdio'] as const)('over %s', (transport) => {
  describe.each(clients)('%s', (_name, connect) => {
    let client: AnyClient;
    beforeAll(async () => {
      const place = { url: postern.url, serviceUrl: postern.url, router };
      client = await connect(wayIn(transport, place, world.organisation.readKey));
    });
    afterAll(() => client.close());

    test('meets postern 0.1.0 and lists the tools in the specification’s order', async () => {
      expect(client.getServerVersion()).toMatchObject({ name: 'postern', version: '0.1.0' });
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(toolOrder);
    });

    test('each tool that reads answers what the transport nearest to the service answers', async () => {
      for (const { path, procedure, tool } of tools.filter((each) => each.procedure.access === 'read')) {
        const input = caseOf(path).input(world);
        const result = answerOf(
          await transports[transportsOf(procedure)[0]](postern.url, world.organisation.readKey, path, procedure, input),
        );
        const expected = cleanText(Object(result));
        const answer = await client.callTool({ name: tool, arguments: ofWholeRows(procedure, input) });
        expect(answer['isError'] ?? false, `${tool}: ${JSON.stringify(answer['content'])}`).toBe(false);
        expect(withoutNotes(procedure, answer['structuredContent']), tool).toEqual(expected);
        expect(answer['content'], tool).toEqual([{ type: 'text', text: JSON.stringify(answer['structuredContent']) }]);
      }
    });

    test('each tool that writes refuses the read-only key', async () => {
      for (const { path, tool } of tools.filter((each) => each.procedure.access !== 'read')) {
        const texts =
          path === 'reachability.overrideVerdict'
            ? ['authentication failed', reasons.needs_member_session]
            : ['this API key is read-only or lacks permission'];
        const answer = await client.callTool({ name: tool, arguments: caseOf(path).input(world) });
        expect(answer, tool).toMatchObject({ isError: true, content: texts.map((text) => ({ type: 'text', text })) });
      }
    });
  });
});

test('GET /mcp/health is 200 and `ok`, without a key', async () => {
  const response = await fetch(`${postern.url}/mcp/health`);
  expect([response.status, await response.text()]).toEqual([200, 'ok']);
});
