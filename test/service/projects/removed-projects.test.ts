import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeDeletedProjects } from '../../../src/service/projects/removed-projects.js';
import { textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { reportsPath, sarif, stepped } from '../landing/code-reports.js';
import { uploadedProject } from '../landing/uploaded-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

type Uploaded = Awaited<ReturnType<typeof uploadedProject>>;

/** The tables that hold rows of the project, besides the log of what happened. */
async function tablesWith(projectId: string): Promise<string[]> {
  const rows = await service.database.system(async (tx) => {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns
      where table_schema = current_schema() and column_name = 'project_id' and table_name <> 'audit_log'`.execute(tx);
    const found: string[] = [];
    for (const { name } of tables) {
      const of = await sql`select from ${sql.table(name)} where project_id = ${projectId} limit 1`.execute(tx);
      if (of.rows.length > 0) found.push(name);
    }
    return found;
  });
  return rows.sort();
}

const idOf = ({ path }: Uploaded) => path.replace('/api/projects/', '');
const get = ({ key }: Uploaded, path: string) => service.call(key, 'GET', path);

/** What an organisation reads of all its projects. */
const counted = [
  '/api/projects',
  '/api/posture/code/summary',
  '/api/posture/containers/summary',
  '/api/posture/code/risks',
  '/api/posture/code/diff?window_days=7',
];

/** Where packages of the project may still be named as not compared, until its rows are removed. */
const covered = ['/api/intelligence/exposed?cve=CVE-2024-1001', '/api/posture/dependencies/summary'];

/** Both organisations read the same, but for the times. */
async function expectSame(one: Uploaded, other: Uploaded, paths: readonly string[]): Promise<void> {
  const read = async (project: Uploaded, path: string): Promise<unknown> => {
    const { body } = await get(project, path);
    return JSON.parse(JSON.stringify(body, (name, value: unknown) => (/(^|_)at$|^as_of$/.test(name) ? null : value)));
  };
  for (const path of paths) expect(await read(one, path), path).toEqual(await read(other, path));
}

describe('a deleted project', () => {
  test('is gone at once, in all that its organisation can read, and its rows soon after', async () => {
    const [deleted, empty] = [await uploadedProject(service), await uploadedProject(service)];
    await deleted.upload(service, true);
    const webhook = { url: 'https://hooks.example/in', events: ['scan.finished'] };
    await service.call(deleted.key, 'POST', `${deleted.path}/webhooks`, webhook);
    const { body } = await get(deleted, deleted.path);
    expect((await service.call(deleted.key, 'DELETE', deleted.path)).status).toBe(200);
    await service.call(empty.key, 'DELETE', empty.path);
    expect(await tablesWith(idOf(deleted))).toContain('findings');
    for (const rest of [
      '',
      '/sast/findings',
      '/containers/findings',
      '/tech-stack',
      '/reachability/verdicts',
      '/webhooks',
    ]) {
      expect((await get(deleted, `${deleted.path}${rest}`)).status, rest).toBe(404);
    }
    await expectSame(deleted, empty, counted);
    expect((await get(deleted, '/api/intelligence/exposed?cve=CVE-2024-1001')).body).toMatchObject({
      total: 0,
      items: [],
      coverage: { status: 'unknown' },
    });
    expect((await service.call(deleted.key, 'DELETE', deleted.path)).status).toBe(404);
    const again = { name: textAt(body, 'name'), exposure: 'internal' };
    const created = await service.call(deleted.key, 'POST', '/api/projects', again);
    expect(created.status).toBe(200);
    await removeDeletedProjects(service.database);
    expect(await tablesWith(idOf(deleted))).toEqual([]);
    await service.call(deleted.key, 'DELETE', `/api/projects/${textAt(created.body, 'id')}`);
    await expectSame(deleted, empty, [...counted, ...covered]);
  });

  test('takes nothing from another one', async () => {
    const [kept, deleted] = [await uploadedProject(service), await uploadedProject(service)];
    for (const project of [kept, deleted]) await project.upload(service, true);
    const before = await kept.read();
    await service.call(deleted.key, 'DELETE', deleted.path);
    await removeDeletedProjects(service.database);
    expect(await kept.read()).toEqual(before);
    // No name of it is left, and nothing counts less than nothing.
    const { rows } = await service.database.system((tx) =>
      sql`select from posture_counts where project_id = ${idOf(kept)} and change_set = 0 and count < 0 union all select from findings
        where project_id = ${idOf(deleted)}`.execute(tx),
    );
    expect(rows).toEqual([]);
  });

  test('takes an upload that is under way with it', async () => {
    const project = await uploadedProject(service);
    let steps = 0;
    const writing = await startService({
      database: stepped(service.database, async () => {
        steps += 1;
        if (steps === 3) await service.call(project.key, 'DELETE', project.path);
      }),
      jwtKey: service.jwtKey,
    });
    const numbers = Array.from({ length: 300 }, (_, at) => at);
    const { status } = await writing.call(project.key, 'POST', reportsPath(idOf(project)), sarif(numbers));
    await writing.close();
    expect(steps).toBeGreaterThanOrEqual(3);
    expect(status).not.toBe(200);
    await removeDeletedProjects(service.database);
    expect(await tablesWith(idOf(project))).toEqual([]);
  });
});
