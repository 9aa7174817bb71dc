import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeDeletedProjects } from '../../../src/service/projects/removed-projects.js';
import { at, textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { newProject } from './new-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** The audit log's entries about one target, oldest first. */
async function auditOf(organisationId: string, targetId: string) {
  const rows = await service.database.system((tx) =>
    tx
      .selectFrom('audit_log')
      .select(['action', 'actor_kind', 'before', 'after'])
      .where('organisation_id', '=', organisationId)
      .where('target_id', '=', targetId)
      .orderBy('at')
      .orderBy('id')
      .execute(),
  );
  return rows;
}

describe('projects', () => {
  test('are created, read and listed by name', async () => {
    const { writeKey, readKey, id } = await service.newOrganisation();
    const created = await service.call(writeKey, 'POST', '/api/projects', {
      name: ' beta ',
      description: 'The second one.',
      exposure: 'internet',
      repo: 'https://example.com/beta.git',
    });
    expect(created).toMatchObject({
      status: 200,
      body: {
        name: 'beta',
        description: 'The second one.',
        exposure: 'internet',
        repo: 'https://example.com/beta.git',
        revision: 1,
      },
    });
    const { body: other } = await service.call(writeKey, 'POST', '/api/projects', { name: 'Alpha' });
    expect(other).toMatchObject({ description: null, exposure: 'unknown', repo: null });
    const projectId = textAt(created.body, 'id');
    expect((await service.call(readKey, 'GET', `/api/projects/${projectId}`)).body).toEqual(created.body);
    expect((await service.call(readKey, 'GET', '/api/projects')).body).toEqual({
      items: [other, created.body],
      page: 1,
      page_size: 25,
      total: 2,
      has_more: false,
      next_cursor: null,
      as_of: expect.any(String),
    });
    expect((await service.call(readKey, 'GET', '/api/projects?page=2&page_size=1')).body).toEqual({
      items: [created.body],
      page: 2,
      page_size: 1,
      total: 2,
      has_more: false,
      next_cursor: null,
      as_of: expect.any(String),
    });
    expect(await auditOf(id, projectId)).toEqual([
      {
        action: 'project.create',
        actor_kind: 'api_key',
        before: null,
        after: {
          name: 'beta',
          description: 'The second one.',
          exposure: 'internet',
          repo: 'https://example.com/beta.git',
          group: null,
        },
      },
    ]);
  });

  test('have a name that is unique in the organisation, whatever its case', async () => {
    const { writeKey } = await service.newOrganisation();
    await service.call(writeKey, 'POST', '/api/projects', { name: 'Shop' });
    const again = await service.call(writeKey, 'POST', '/api/projects', { name: 'shop' });
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict', reason: 'name_taken' } });
    const other = await service.call(writeKey, 'POST', '/api/projects', { name: 'Shop 2' });
    const renamed = await service.call(writeKey, 'PATCH', `/api/projects/${textAt(other.body, 'id')}`, {
      name: 'SHOP',
    });
    expect(renamed).toMatchObject({ status: 409, body: { code: 'conflict', reason: 'name_taken' } });
    const ownCase = await service.call(writeKey, 'PATCH', `/api/projects/${textAt(other.body, 'id')}`, {
      name: 'SHOP 2',
    });
    expect(ownCase).toMatchObject({ status: 200, body: { name: 'SHOP 2', revision: 2 } });
    const elsewhere = await service.newOrganisation();
    expect((await service.call(elsewhere.writeKey, 'POST', '/api/projects', { name: 'Shop' })).status).toBe(200);
  });

  test('of one name, created at once, are one', async () => {
    const { writeKey } = await service.newOrganisation();
    const create = () => service.call(writeKey, 'POST', '/api/projects', { name: 'twin' });
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test('change by the given fields only; `clear` empties, and null does nothing', async () => {
    const { writeKey, id } = await service.newOrganisation();
    const { body } = await service.call(writeKey, 'POST', '/api/projects', {
      name: 'a',
      description: 'old',
      repo: 'https://example.com/a',
    });
    const projectId = textAt(body, 'id');
    const changed = await service.call(writeKey, 'PATCH', `/api/projects/${projectId}`, {
      description: 'new',
      exposure: 'unknown',
      repo: null,
      clear: ['repo'],
    });
    expect(changed.body).toMatchObject({ name: 'a', description: 'new', exposure: 'unknown', repo: null, revision: 2 });
    expect((await auditOf(id, projectId)).slice(1)).toEqual([
      {
        action: 'project.update',
        actor_kind: 'api_key',
        before: { description: 'old', repo: 'https://example.com/a' },
        after: { description: 'new', repo: null },
      },
    ]);
  });

  test('keep what a caller sends null for, and are not emptied of what is given too', async () => {
    const { writeKey } = await service.newOrganisation();
    const made = { name: 'a', description: 'old', repo: 'https://example.com/a', exposure: 'internal' };
    const { body } = await service.call(writeKey, 'POST', '/api/projects', made);
    const path = `/api/projects/${textAt(body, 'id')}`;
    const nulls = { description: null, repo: null, exposure: null, group: null, clear: null };
    const renamed = await service.call(writeKey, 'PATCH', path, { name: 'b', ...nulls });
    expect(renamed.body).toMatchObject({ ...made, name: 'b' });
    expect((await service.call(writeKey, 'PATCH', path, nulls)).body).toMatchObject({ status: 422 });
    const both = await service.call(writeKey, 'PATCH', path, { description: 'new', clear: ['repo', 'description'] });
    expect(both.body).toMatchObject({
      status: 422,
      errors: [{ field: 'clear.1', message: 'is given too: leave one of them out' }],
    });
    expect((await service.call(writeKey, 'GET', path)).body).toEqual(renamed.body);
  });

  test('are not written when nothing differs', async () => {
    const { writeKey, id } = await service.newOrganisation();
    const { body } = await service.call(writeKey, 'POST', '/api/projects', { name: 'a', exposure: 'internal' });
    const projectId = textAt(body, 'id');
    const same = await service.call(writeKey, 'PATCH', `/api/projects/${projectId}`, {
      name: 'a',
      exposure: 'internal',
      clear: ['description'],
    });
    expect(same.body).toEqual(body);
    expect(await auditOf(id, projectId)).toHaveLength(1);
  });

  test('reject an update that names nothing to change', async () => {
    const organisation = await service.newOrganisation();
    const path = `/api/projects/${await newProject(service, organisation)}`;
    for (const body of [{}, { expected_revision: 1 }]) {
      const answer = await service.call(organisation.writeKey, 'PATCH', path, body);
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'invalid_input', errors: [{ field: '', reason: 'no_change' }] },
      });
    }
  });

  test('reject an update of a revision that is not the current one', async () => {
    const organisation = await service.newOrganisation();
    const path = `/api/projects/${await newProject(service, organisation)}`;
    const update = (body: object) => service.call(organisation.writeKey, 'PATCH', path, body);
    expect(await update({ name: 'b', expected_revision: 2 })).toMatchObject({
      status: 412,
      body: { code: 'revision_mismatch' },
    });
    const answers = await Promise.all(['c', 'd'].map((name) => update({ name, expected_revision: 1 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect(at((await service.call(organisation.readKey, 'GET', path)).body, 'revision')).toBe(2);
  });

  test('keep no user and password of a repository’s address', async () => {
    const { writeKey, id } = await service.newOrganisation();
    const secret = 'hunter2hunter2';
    const repo = `https://bot:${secret}@example.com/a.git`;
    const { body } = await service.call(writeKey, 'POST', '/api/projects', { name: 'a', repo });
    expect(at(body, 'repo')).toBe('https://example.com/a.git');
    const projectId = textAt(body, 'id');
    const updated = await service.call(writeKey, 'PATCH', `/api/projects/${projectId}`, {
      repo: repo.replace('a.git', 'b.git'),
    });
    expect(at(updated.body, 'repo')).toBe('https://example.com/b.git');
    expect(JSON.stringify(await auditOf(id, projectId)) + service.log()).not.toContain(secret);
  });

  test('are deleted with all that is theirs, and nothing else', async () => {
    const organisation = await service.newOrganisation();
    const [gone, kept] = [await newProject(service, organisation), await newProject(service, organisation)];
    for (const project of [gone, kept]) {
      const added = await service.call(organisation.writeKey, 'POST', `/api/projects/${project}/tech-stack`, {
        ecosystem: 'npm',
        name: 'left-pad',
        version: '1.0.0',
      });
      expect(added.status).toBe(200);
    }
    const answer = await service.call(organisation.writeKey, 'DELETE', `/api/projects/${gone}`);
    expect(answer).toMatchObject({ status: 200, body: { id: gone, deleted: true } });
    expect((await service.call(organisation.readKey, 'GET', `/api/projects/${gone}`)).status).toBe(404);
    await removeDeletedProjects(service.database);
    const left = await service.database.system((tx) =>
      tx.selectFrom('tech_stack_items').select('project_id').where('organisation_id', '=', organisation.id).execute(),
    );
    expect(left).toEqual([{ project_id: kept }]);
    expect((await auditOf(organisation.id, gone)).at(-1)).toMatchObject({ action: 'project.delete', after: null });
    expect((await service.call(organisation.writeKey, 'DELETE', `/api/projects/${gone}`)).status).toBe(404);
  });

  test('of another organisation do not exist', async () => {
    const [own, other] = [await service.newOrganisation(), await service.newOrganisation()];
    const path = `/api/projects/${await newProject(service, other)}`;
    for (const [method, body] of [['GET'], ['PATCH', { name: 'mine' }], ['DELETE']] as const) {
      const answer = await service.call(own.writeKey, method, path, body);
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found', resource: 'project' } });
    }
    expect((await service.call(other.readKey, 'GET', path)).status).toBe(200);
    expect(at((await service.call(own.readKey, 'GET', '/api/projects')).body, 'total')).toBe(0);
  });

  test('are read by any key and written by write keys', async () => {
    const organisation = await service.newOrganisation();
    const path = `/api/projects/${await newProject(service, organisation)}`;
    expect((await service.call(organisation.readKey, 'POST', '/api/projects', { name: 'b' })).status).toBe(403);
    expect((await service.call(organisation.readKey, 'PATCH', path, { name: 'b' })).status).toBe(403);
    expect((await service.call(organisation.readKey, 'DELETE', path)).status).toBe(403);
  });
});
