import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { makeWorld, storeIntelligence, type World } from '../../conformance/world.js';
import { callTool } from '../../support/gateway.js';
import { startPostern, type TestPostern } from '../../support/postern.js';

let postern: TestPostern;
let world: World;
beforeAll(async () => {
  postern = await startPostern();
  world = await makeWorld(postern, await storeIntelligence(postern));
});
afterAll(() => postern.close());

async function ask(tool: string, input: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${world.organisation.readKey}` };
  const { isError, text } = await callTool(postern, tool, input, { headers });
  expect(isError, text).toBe(false);
  return JSON.parse(text);
}

const risks = z.object({ risks: z.array(z.unknown()), triaged: z.int() });

test('the top risks since a time are those that were first seen then', async () => {
  const all = risks.parse(await ask('get_top_risks', {}));
  expect(all.risks.length).toBeGreaterThan(0);
  expect(risks.parse(await ask('get_top_risks', { since: '2020-01-01' }))).toEqual(all);
  expect(risks.parse(await ask('get_top_risks', { since: '2999-01-01T00:00:00Z' })).risks).toEqual([]);
});

const diff = z.object({ since: z.iso.datetime(), window_days: z.int(), domains: z.object({ code: z.unknown() }) });

test('what changed since a time is a window of whole days that has it', async () => {
  const dayMs = 24 * 60 * 60 * 1000;
  for (const [days, window] of [
    [0, 1],
    [2.5, 3],
    [400, 90],
  ] as const) {
    const since = new Date(Date.now() - days * dayMs);
    const found = diff.parse(await ask('get_findings_diff', { since: since.toISOString() }));
    expect(found.window_days).toBe(window);
    if (days < 90) expect(Date.parse(found.since)).toBeLessThanOrEqual(since.getTime());
  }
});

test('as_of of an answer is a time from which a later one misses nothing', async () => {
  const page = z.object({ items: z.array(z.object({ id: z.string() })), as_of: z.iso.datetime() });
  const { as_of } = page.parse(await ask('list_projects', {}));
  const name = 'came later';
  const created = { authorization: `Bearer ${world.organisation.writeKey}` };
  const { isError, text } = await callTool(
    postern,
    'create_project',
    { name, exposure: 'internal' },
    { headers: created },
  );
  expect(isError, text).toBe(false);
  const { items } = page.parse(await ask('list_projects', { since: as_of }));
  expect(items.map(({ id }) => id)).toContain(z.object({ id: z.string() }).parse(JSON.parse(text)).id);
});
