import { caseOf, credentialOf } from '../../../conformance/cases.js';
import { answerOf, transports, transportsOf } from '../../../conformance/transports.js';
import type { World } from '../../../conformance/world.js';
import { snapshotOf } from '../../../conformance/world-snapshot.js';
import type { TestPostern } from '../../../support/postern.js';
import type { TestService } from '../../../support/service.js';
import { everyProcedure, everyRequest, listsOfAll } from '../../../support/upstream.js';
import type { Observed } from './observed.js';

/** Calls every procedure once, lists over all projects too, and every upload in steps again. What a call has changed is put back. */
export async function callEveryProcedure(
  observed: Observed,
  postern: TestPostern,
  inSteps: TestService,
  world: World,
): Promise<void> {
  const restore = await snapshotOf(postern.database, world.organisation.id);
  for (const [path, procedure] of everyProcedure) {
    const { as, input } = caseOf(path);
    const [credential, given] = [credentialOf(as, world), input(world)];
    const [nearest] = transportsOf(procedure);
    const ask = (asked: Record<string, unknown>) =>
      observed.during(path, async () =>
        answerOf(await transports[nearest](postern.url, credential, path, procedure, asked)),
      );
    await ask(given);
    if (procedure.access !== 'read') await restore();
    if (!listsOfAll.some((list) => list.path === path)) continue;
    const { project_id: _project, ...everywhere } = given;
    await ask(everywhere);
  }
  for (const [path, procedure] of everyRequest.filter(([, { maxBytes }]) => maxBytes !== undefined)) {
    const { as, input } = caseOf(path);
    const credential = credentialOf(as, world);
    await observed.during(`${path} in steps`, async () =>
      answerOf(await transports.rest(inSteps.url, credential, path, procedure, input(world))),
    );
    await restore();
  }
}
