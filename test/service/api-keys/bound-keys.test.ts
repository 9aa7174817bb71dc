import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { methodOf, pathOf } from '../../../src/shared/http/request-parts.js';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { everyRequest } from '../../support/upstream.js';
import { tenantTables } from '../db/catalogue.js';
import { insertAll, newTenantRows } from '../db/tenant-rows.js';
import { newProject } from '../projects/new-project.js';

let service: TestService;
let organisation: TestOrganisation;
/** Of the organisation; the key is bound to the first. */
let own: string;
let other: string;
let key: string;

beforeAll(async () => {
  service = await startService();
  organisation = await service.newOrganisation({ plan: 'Enterprise' });
  own = await newProject(service, organisation);
  other = await newProject(service, organisation);
  key = await newKey({ project_ids: [own, own] });
});
afterAll(() => service.close());

const create = (options: Record<string, unknown>) =>
  service.call(organisation.admin.session, 'POST', '/api/org/api-keys', {
    name: 'bound',
    scope: 'ReadWrite',
    ...options,
  });
const newKey = async (options: Record<string, unknown>) => textAt((await create(options)).body, 'key');
const idsOf = (body: unknown) => [at(body, 'items')].flat().map((item) => at(item, 'id'));

describe('a key that is bound to a project', () => {
  test('names it in the list of keys, and to whoever holds it', async () => {
    const { body } = await service.call(organisation.admin.session, 'GET', '/api/org/api-keys');
    expect(at(body, 'items.0')).toMatchObject({ name: 'bound', project_ids: [own], expires_at: null });
    const who = await service.call(key, 'GET', '/api/session');
    expect(at(who.body, 'caller')).toMatchObject({ kind: 'api_key', project_ids: [own], expires_at: null });
  });

  test('finds this project and no other', async () => {
    const list = await service.call(key, 'GET', '/api/projects');
    expect([idsOf(list.body), at(list.body, 'total')]).toEqual([[own], 1]);
    expect((await service.call(key, 'GET', `/api/projects/${own}`)).status).toBe(200);
  });

  test('gets of another project what it gets of one that does not exist, from every procedure', async () => {
    const ofProject = everyRequest.filter(([, procedure]) => pathOf(procedure).includes('{project_id}'));
    expect(ofProject.length).toBeGreaterThan(40);
    for (const [name, procedure] of ofProject) {
      const answerOf = async (projectId: string) => {
        const path = pathOf(procedure)
          .replace('{project_id}', projectId)
          .replace(/\{\w+\}/g, 'x');
        const hasBody = !['GET', 'DELETE'].includes(methodOf(procedure));
        const { status, body } = await service.call(key, methodOf(procedure), path, hasBody ? {} : undefined);
        return { status, code: at(body, 'code'), resource: at(body, 'resource') };
      };
      const answer = await answerOf(other);
      expect([401, 404], name).toContain(answer.status);
      expect(answer, name).toEqual(await answerOf('prj_unknown'));
    }
  });

  test('does not learn of others from what is about all projects', async () => {
    const log = await service.call(key, 'GET', '/api/org/audit-log');
    expect(JSON.stringify(log.body)).not.toContain(other);
    expect(idsOf(log.body).length).toBeGreaterThan(0);
    expect((await service.call(key, 'GET', `/api/org/audit-log?project_id=${other}`)).status).toBe(404);
    const { email } = organisation.admin;
    const actor = await service.call(key, 'GET', `/api/org/audit-log?actor=${encodeURIComponent(email)}`);
    expect(actor.status).toBe(422);
  });

  test.each([
    ['GET', '/api/org/members'],
    ['GET', '/api/org/invites'],
    ['POST', '/api/projects'],
  ])('is refused %s %s, with the reason', async (method, path) => {
    const body = method === 'POST' ? { name: randomUUID() } : undefined;
    const answer = await service.call(key, method, path, body);
    expect(answer.body).toMatchObject({ status: 403, code: 'forbidden', detail: expect.stringMatching('bound to') });
  });

  test('works in its project', async () => {
    const renamed = `renamed ${randomUUID()}`;
    expect((await service.call(key, 'PATCH', `/api/projects/${own}`, { name: renamed })).body).toMatchObject({
      name: renamed,
    });
    const hook = { kind: 'generic', name: 'ours', url: 'https://webhooks.example.com/x' };
    const added = await service.call(key, 'POST', `/api/projects/${own}/webhooks`, hook);
    const path = `/api/projects/${own}/webhooks/${textAt(added.body, 'webhook.id')}`;
    expect((await service.call(key, 'POST', `${path}/test`, {})).status).toBe(200);
    expect((await service.call(key, 'GET', `${path}/deliveries`)).body).toMatchObject({ total: 1 });
    const purl = { packages: [{ purl: 'pkg:npm/a@1.0.0' }], source: 'package-lock.json' };
    expect((await service.call(key, 'POST', `/api/projects/${own}/tech-stack/sync`, purl)).status).toBe(200);
    expect((await service.call(key, 'GET', `/api/posture/dependencies/summary`)).status).toBe(200);
  });

  test.each([
    [['prj_unknown'], 'project_ids.0'],
    [[], 'project_ids'],
    [Array.from({ length: 101 }, (_, n) => `prj_${n}`), 'project_ids'],
    [['a,b'], 'project_ids.0'],
  ])('is not made for %j', async (project_ids, field) => {
    const { status, body } = await create({ project_ids });
    expect([status, at(body, 'errors.0.field')]).toEqual([422, field]);
  });

  test('is not made for another organisation’s project', async () => {
    const foreign = await newProject(service, await service.newOrganisation());
    const { body } = await create({ project_ids: [own, foreign] });
    expect(body).toMatchObject({ status: 422, errors: [{ field: 'project_ids.1', reason: 'unknown_project' }] });
  });
});

describe('in the database, a transaction bound to projects or to groups of them', () => {
  /** Not about a project, and readable: the organisation itself, and the callers' own idempotency keys. */
  const common = ['organisations', 'idempotency_keys'];

  async function visible(bound: { projectIds: readonly string[] | null; groupIds?: readonly string[] }) {
    const { organisationId, tables } = await filled();
    const counts = new Map<string, number>();
    for (const table of tables) {
      const query = sql`select from ${sql.table(table)}`;
      const { rows } = await service.database.tenant({ organisationId, ...bound }, (tx) => query.execute(tx));
      counts.set(table, rows.length);
    }
    return [...counts].filter(([, count]) => count > 0).map(([table]) => table);
  }

  let made: Promise<{ organisationId: string; projectId: string; groupId: string; tables: string[] }> | undefined;
  function filled() {
    made ??= (async () => {
      const tables = await tenantTables(service.database);
      const all = newTenantRows();
      await service.database.system((tx) => insertAll(tx, all, tables));
      const idIn = (table: string) => String(all.rows.get(table)?.['id']);
      return {
        ...{ organisationId: all.organisationId, tables },
        ...{ projectId: idIn('projects'), groupId: idIn('project_groups') },
      };
    })();
    return made;
  }

  test('sees of every table nothing that belongs to another project or to people', async () => {
    const none = [['another'], ['a', 'b'], []];
    for (const projectIds of none) expect((await visible({ projectIds })).sort()).toEqual([...common].sort());
    for (const groupIds of none) {
      expect((await visible({ projectIds: null, groupIds })).sort()).toEqual([...common].sort());
    }
  });

  test('sees the rows of its own in every table that has some', async () => {
    const { tables, projectId, groupId } = await filled();
    // Names to be searched are of all projects: a function compares them with what the caller sees.
    // A last write is of the whole organisation, and asked with the caller alone.
    const hidden = ['last_writes', 'searched_names'];
    const personal = [
      ...['api_keys', 'audit_log', 'audit_outbox', 'group_members', 'invites', 'known_addresses'],
      ...['members', 'password_resets', 'sessions', 'identities', 'issuers', 'email_domains'],
    ];
    const own = tables.filter((table) => ![...personal, ...hidden].includes(table));
    expect((await visible({ projectIds: ['x', projectId] })).sort()).toEqual(own.sort());
    expect((await visible({ projectIds: null, groupIds: ['x', groupId] })).sort()).toEqual(own.sort());
    expect((await visible({ projectIds: null })).sort()).toEqual([...tables].sort());
  });

  test('writes nothing for another project', async () => {
    const { organisationId } = await filled();
    for (const bound of [{ projectIds: ['another'] }, { projectIds: null, groupIds: ['another'] }]) {
      const write = service.database.tenant({ organisationId, ...bound }, (tx) =>
        sql`insert into projects (organisation_id, id, name, exposure) values (${organisationId}, 'prj_new', 'x', 'unknown')`.execute(
          tx,
        ),
      );
      await expect(write).rejects.toMatchObject({ code: '42501' });
    }
  });
});

describe('a key with an expiry', () => {
  test('is good until then, and gets 401 afterwards', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await create({ expires_at });
    const expiring = textAt(body, 'key');
    expect(at(body, 'api_key.expires_at')).toBe(expires_at);
    expect((await service.call(expiring, 'GET', '/api/projects')).status).toBe(200);
    await service.database.system((tx) =>
      tx
        .updateTable('api_keys')
        .set({ expires_at: new Date(Date.now() - 1) })
        .where('id', '=', textAt(body, 'api_key.id'))
        .execute(),
    );
    const answer = await service.call(expiring, 'GET', '/api/projects');
    expect(answer.body).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  test('is not made with one that is over', async () => {
    const { body } = await create({ expires_at: '2020-01-01' });
    expect(body).toMatchObject({ status: 422, errors: [{ field: 'expires_at', reason: 'not_in_future' }] });
  });
});
