import { type SqlBool, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Transaction } from '../../../src/service/db/database.js';
import { enterQueue, type LandingProject, landSet, takeTurn } from '../../../src/service/landing/change-set.js';
import { kind } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { startService, type TestService } from '../../support/service.js';
import { newOrganisationWithProject } from '../projects/new-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A project whose change sets the test enters and opens itself, each in a transaction of its own. */
async function queuedProject() {
  const { organisation, projectId } = await newOrganisationWithProject(service);
  const project: LandingProject = { organisationId: organisation.id, projectId };
  const inTenant = <T>(work: (tx: Transaction) => Promise<T>) => service.database.tenant(organisation.id, work);
  return {
    project,
    enter: () => inTenant((tx) => entered(tx, project)),
    turnOf: (set: number) => inTenant((tx) => takeTurn(tx, project, set)),
    land: (set: number) => inTenant((tx) => landSet(tx, organisation.id, set)),
    /** Does the work in a transaction that is not committed before `commit` is called. */
    held: <T>(work: (tx: Transaction) => Promise<T>) =>
      new Promise<{ readonly done: T; commit(): Promise<unknown> }>((resolve, reject) => {
        let commit = (): void => {};
        const mayCommit = new Promise<void>((allow) => {
          commit = allow;
        });
        const committed = inTenant(async (tx) => {
          const done = await work(tx);
          resolve({
            done,
            commit: () => {
              commit();
              return committed;
            },
          });
          await mayCommit;
        });
        committed.catch(reject);
      }),
  };
}

async function entered(tx: Transaction, project: LandingProject): Promise<number> {
  const set = await enterQueue(tx, project);
  if (set === undefined) throw new Error('no such project');
  return set;
}

// The embedded database runs one transaction at a time, so these cannot meet there.
const onServer = test.runIf(kind === 'postgres');

onServer('a set that took its number first, but was committed last, waits for the one that is open', async () => {
  const { project, enter, turnOf, land, held } = await queuedProject();
  const late = await held((tx) => entered(tx, project));
  const early = await enter();
  expect(late.done).toBeLessThan(early);
  expect(await turnOf(early)).toBe('open');
  await late.commit();
  expect(await turnOf(late.done)).toBe('wait');
  await land(early);
  expect(await turnOf(late.done)).toBe('open');
});

onServer('a set that took its number first takes the place of an open one whose writer is gone', async () => {
  const { project, enter, turnOf, held } = await queuedProject();
  const late = await held((tx) => entered(tx, project));
  const early = await enter();
  expect(await turnOf(early)).toBe('open');
  await late.commit();
  await service.database.system((tx) =>
    sql`update change_sets set lease_until = now() - interval '1 hour' where id = ${early}`.execute(tx),
  );
  expect(await turnOf(late.done)).toEqual({ abandoned: early });
});

onServer('a set that finds another one opened as it opens waits for it', async () => {
  const { project, enter, turnOf, held } = await queuedProject();
  const set = await enter();
  const other = await held((tx) =>
    sql`insert into change_sets (organisation_id, project_id, state, lease_until)
      values (${project.organisationId}, ${project.projectId}, 'open', now() + interval '1 hour')`.execute(tx),
  );
  const turn = turnOf(set);
  await eventually(async () => {
    const { rows } = await service.database.system((tx) =>
      sql<{ waits: SqlBool }>`select exists (select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like 'update "change_sets"%') as waits`.execute(tx),
    );
    expect(rows).toEqual([{ waits: true }]);
  });
  await other.commit();
  expect(await turn).toBe('wait');
});
