import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { procedures } from '../../src/procedures/index.js';
import { clients } from '../clients/connect.js';
import { textAt } from '../support/at.js';
import { startPostern, type TestPostern } from '../support/postern.js';
import { transports } from './transports.js';
import { makeWorld, storeIntelligence, type World } from './world.js';

let postern: TestPostern;
let world: World;
let name: string;
/** Of another organisation. */
let others: string;

beforeAll(async () => {
  postern = await startPostern();
  const intelligence = await storeIntelligence(postern);
  world = await makeWorld(postern, intelligence);
  const other = await makeWorld(postern, intelligence);
  [name, others] = [`Shop ${randomUUID()}`, `Shop ${randomUUID()}`];
  const rename = (of: World, to: string) =>
    postern.call(of.organisation.writeKey, 'PATCH', `/api/projects/${of.projectId}`, { name: to });
  expect([(await rename(world, name)).status, (await rename(other, others)).status]).toEqual([200, 200]);
});
afterAll(() => postern.close());

test('a project and an alert are found by what people call them, on every transport', async () => {
  const { readKey } = world.organisation;
  const input = { project_id: name.toUpperCase(), alert_id: world.intelligence.cve.toLowerCase() };
  for (const transport of ['rest', 'trpc', 'mcp'] as const) {
    const answer = await transports[transport](postern.url, readKey, 'alerts.get', procedures.alerts.get, input);
    expect(answer, transport).toMatchObject({ ok: true, answer: { id: world.alertId, project_id: world.projectId } });
    const alone = { alert_id: world.alertId };
    const own = await transports[transport](postern.url, readKey, 'alerts.get', procedures.alerts.get, alone);
    expect(own, transport).toMatchObject({ ok: true, answer: { id: world.alertId, project: { id: world.projectId } } });
  }
  const composite = procedures.posture.getSummary;
  for (const transport of ['trpc', 'mcp'] as const) {
    const ask = (project_id: string) =>
      transports[transport](postern.url, readKey, 'posture.getSummary', composite, { project_id });
    expect(await ask(name)).toEqual(await ask(world.projectId));
  }
});

test.each(clients)('%s is told what was probably meant, and nothing of other organisations', async (_name, connect) => {
  const headers = { authorization: `Bearer ${world.organisation.readKey}` };
  const client = await connect({ transport: 'HTTP', url: new URL('/mcp', postern.url), headers });
  const ask = async (project_id: string) => {
    const answer = await client.callTool({ name: 'get_project', arguments: { project_id } });
    return { isError: answer['isError'] ?? false, text: textAt(answer, 'content.0.text') };
  };
  expect(await ask(name.toLowerCase())).toMatchObject({ isError: false });
  expect(await ask(name.slice(0, -1))).toEqual({
    isError: true,
    text: `project ${name.slice(0, -1)} was not found: did you mean ${world.projectId} ("${name}")? list_projects names them`,
  });
  expect(await ask(others)).toEqual({
    isError: true,
    text: `project ${others} was not found: list_projects names them`,
  });
  await client.close();
});

test('what deletes is told the id, and deletes nothing', async () => {
  const text = `project ${name} takes an id here, not a name: a name can pass to something else: ${world.projectId} ("${name}")`;
  for (const transport of ['trpc', 'mcp'] as const) {
    const { writeKey } = world.organisation;
    const remove = procedures.techStack.remove;
    const input = { project_id: name, item_id: world.itemId };
    const refused = await transports[transport](postern.url, writeKey, 'techStack.remove', remove, input);
    expect(refused, transport).toMatchObject({ ok: false, text });
  }
  const stack = await postern.call(world.organisation.readKey, 'GET', `/api/projects/${world.projectId}/tech-stack`);
  expect(JSON.stringify(stack.body)).toContain(world.itemId);
});
