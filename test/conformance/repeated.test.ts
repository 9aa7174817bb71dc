import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToolCatalogue } from '../../src/gateway/mcp/tool-catalogue.js';
import { procedures } from '../../src/procedures/index.js';
import { ownDatabase } from '../support/own-database.js';
import { startPostern, type TestPostern } from '../support/postern.js';
import { caseOf, credentialOf } from './cases.js';
import { transports } from './transports.js';
import { makeWorld, storeIntelligence, type World, withoutIdentity } from './world.js';
import { snapshotOf } from './world-snapshot.js';
import { stateOf } from './world-state.js';

const { tools, byName } = createToolCatalogue(procedures, () => true);
const repeatable = tools.filter(
  ({ annotations }) => annotations?.readOnlyHint === false && annotations.idempotentHint === true,
);

let postern: TestPostern;
let world: World;
let restore: () => Promise<void>;
beforeAll(async () => {
  // Of its own: it compares all that the world holds.
  postern = await startPostern({ database: await ownDatabase() });
  world = await makeWorld(postern, await storeIntelligence(postern));
  restore = await snapshotOf(postern.database, world.organisation.id);
});
afterAll(async () => {
  await postern.close();
  await postern.database.close();
});

/** What the world holds besides its audit log, which notes the second call too. */
async function contents(): Promise<unknown> {
  const state = await stateOf(postern, world);
  return withoutIdentity(state.toSpliced(-2, 1));
}

describe('a tool whose hint says that repeating it has no further effect', () => {
  test.each(repeatable)('$name', async ({ name }) => {
    await restore();
    const entry = byName.get(name);
    if (entry === undefined) throw new Error(`${name} has no procedure`);
    const { path, procedure } = entry;
    const { as, input } = caseOf(path);
    const before = await contents();
    const call = () => transports.mcp(postern.url, credentialOf(as, world), path, procedure, input(world));
    expect(await call()).toMatchObject({ ok: true });
    const after = await contents();
    expect(after).not.toEqual(before);
    // It may be refused, as deleting what is gone.
    await call();
    expect(await contents()).toEqual(after);
  });
});
