import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reassessProjects } from '../../../src/service/assessment/reassess-projects.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { newStack } from '../alerts/stack.js';
import { newProject } from '../projects/new-project.js';

let service: TestService;
beforeAll(async () => {
  // Whatever other tests have left in theirs would be brought up to date too.
  service = await startService({ database: await ownDatabase() });
});
afterAll(() => service.close());

const npm = (package_name: string) => ({ ecosystem: 'npm' as const, package_name });

describe('after intelligence has changed', () => {
  test('the projects of every organisation that track a touched package are brought up to date', async () => {
    const [one, two, idle] = [await newStack(service), await newStack(service), await newStack(service)];
    const [touched, other] = [unique.packageName(), unique.packageName()];
    for (const stack of [one, two]) await stack.sync(`${touched}@1.0.0`, `${other}@1.0.0`);
    await idle.sync(`${other}@1.0.0`);
    for (const name of [touched, other]) {
      await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0'));
    }
    const answer = await reassessProjects(service.database, new Date(), [npm(touched)]);
    expect(answer).toEqual({ projects: 2, opened: 2, reopened: 0, resolved: 0, updated: 0 });
    for (const stack of [one, two]) expect(await stack.alerts()).toMatchObject([{ package: { name: touched } }]);
    expect(await idle.alerts()).toEqual([]);
    const before = [await one.rows(), await two.rows()];
    expect(await reassessProjects(service.database, new Date(), [npm(touched)])).toEqual({
      projects: 2,
      opened: 0,
      reopened: 0,
      resolved: 0,
      updated: 0,
    });
    expect([await one.rows(), await two.rows()]).toEqual(before);
  });

  test('nothing touched means nothing looked at', async () => {
    const none = { projects: 0, opened: 0, reopened: 0, resolved: 0, updated: 0 };
    expect(await reassessProjects(service.database, new Date(), [])).toEqual(none);
    expect(await reassessProjects(service.database, new Date(), [npm(unique.packageName())])).toEqual(none);
  });

  test('all means every project, in more than one page of them', async () => {
    const stack = await newStack(service);
    const name = unique.packageName();
    await service.database.system(async (tx) => {
      const rows = Array.from({ length: 1_050 }, (_, n) => ({
        organisation_id: stack.organisation.id,
        id: `${stack.projectId}-${n}`,
        name: `project ${n}`,
        exposure: 'unknown' as const,
      }));
      await tx.insertInto('projects').values(rows).execute();
    });
    const last = await newProject(service, stack.organisation);
    await service.call(stack.key, 'POST', `/api/projects/${last}/tech-stack`, {
      ecosystem: 'npm',
      name,
      version: '1.0.0',
    });
    await stack.sync(`${name}@1.0.0`);
    await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0'));
    const { projects, opened } = await reassessProjects(service.database, new Date());
    expect(projects).toBeGreaterThan(1_050);
    expect(opened).toBeGreaterThanOrEqual(2);
    expect(await stack.alerts()).toHaveLength(1);
    const { body } = await service.call(stack.key, 'GET', `/api/projects/${last}/alerts`);
    expect(body).toMatchObject({ total: 1 });
    await service.database.system((tx) =>
      tx.deleteFrom('projects').where('organisation_id', '=', stack.organisation.id).execute(),
    );
  });

  test('projects that a touched package is one of very many for are found too', async () => {
    const stack = await newStack(service);
    const name = unique.packageName();
    await stack.sync(`${name}@1.0.0`);
    await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0'));
    const touched = [...Array.from({ length: 6_000 }, () => npm(unique.packageName())), npm(name)];
    await reassessProjects(service.database, new Date(), touched);
    expect(await stack.alerts()).toHaveLength(1);
  });
});
