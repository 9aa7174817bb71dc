import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPosternClient } from '../src/client/index.js';
import { clients, wayIn } from './clients/connect.js';
import { makeWorld, storeIntelligence, type World } from './conformance/world.js';
import { startPostern, type TestPostern } from './support/postern.js';

let postern: TestPostern;
let world: World;
beforeAll(async () => {
  postern = await startPostern();
  world = await makeWorld(postern, await storeIntelligence(postern));
});
afterAll(() => postern.close());

test('a project with alerts, verdicts and findings is answered alike over REST, tRPC and MCP', async () => {
  const { readKey } = world.organisation;
  const rest = await postern.call(readKey, 'GET', '/api/alerts?resolved=false');
  const { total } = await createPosternClient({ url: postern.url, credential: readKey }).alerts.list.query({
    resolved: false,
  });
  expect(total).toBeGreaterThan(0);
  expect(rest).toMatchObject({ status: 200, body: { total } });
  for (const [name, connect] of clients) {
    const agent = await connect(wayIn('HTTP', { url: postern.url, serviceUrl: postern.url, router: '' }, readKey));
    const listed = await agent.callTool({ name: 'list_alerts', arguments: { resolved: false } });
    expect(listed, name).toMatchObject({ structuredContent: { total } });
    const risks = await agent.callTool({ name: 'get_top_risks', arguments: {} });
    expect(risks, name).toMatchObject({ structuredContent: { risks: expect.arrayContaining([expect.anything()]) } });
    await agent.close();
  }
});

test('nobody is answered without a credential, and the page, the API’s description and the probes are there', async () => {
  expect((await fetch(`${postern.url}/trpc/alerts.list`)).status).toBe(401);
  expect((await fetch(`${postern.url}/api/alerts`)).status).toBe(401);
  for (const path of ['/openapi.json', '/healthz', '/readyz']) {
    expect([path, (await fetch(`${postern.url}${path}`)).status]).toEqual([path, 200]);
  }
});
