import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { newOrganisationWithProject, newProject } from '../projects/new-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const lodash = { ecosystem: 'npm', name: 'lodash', version: '4.17.11' };

async function newStack() {
  const { organisation, key, projectId } = await newOrganisationWithProject(service);
  const path = `/api/projects/${projectId}/tech-stack`;
  return { organisation, key, projectId, path, add: (body: object) => service.call(key, 'POST', path, body) };
}

async function auditActions(organisationId: string): Promise<string[]> {
  const rows = await service.database.system((tx) =>
    tx
      .selectFrom('audit_log')
      .select('action')
      .where('organisation_id', '=', organisationId)
      .orderBy('at')
      .orderBy('id')
      .execute(),
  );
  return rows.map(({ action }) => action).filter((action) => action.startsWith('tech_stack.'));
}

describe('packages one by one', () => {
  test('are added and listed by name, version', async () => {
    const { path, organisation, add } = await newStack();
    const added = await add(lodash);
    expect(added).toMatchObject({
      status: 200,
      body: {
        ...lodash,
        purl: 'pkg:npm/lodash@4.17.11',
        scope: 'runtime',
        direct: null,
        source: 'manual',
        health: { deprecated: null, unmaintained_since: null, malicious: false, replacement: null, source: null },
        revision: 1,
      },
    });
    await add({ ecosystem: 'PyPI', name: 'Flask_Login', version: '0.5', scope: 'development' });
    await add({ ...lodash, version: '4.17.10' });
    const list = await service.call(organisation.readKey, 'GET', `${path}?page_size=2`);
    expect(list.body).toMatchObject({
      items: [
        { name: 'Flask_Login', purl: 'pkg:pypi/flask-login@0.5', scope: 'development' },
        { name: 'lodash', version: '4.17.10' },
      ],
      total: 3,
      has_more: true,
    });
    const second = await service.call(organisation.readKey, 'GET', `${path}?page_size=2&page=2`);
    expect(second.body).toMatchObject({ items: [added.body], has_more: false });
    expect(await auditActions(organisation.id)).toEqual(['tech_stack.add', 'tech_stack.add', 'tech_stack.add']);
  });

  test('are rejected when tracked already, by whatever spelling', async () => {
    const { add } = await newStack();
    await add({ ecosystem: 'PyPI', name: 'Flask_Login', version: '0.5' });
    const again = await add({ ecosystem: 'PyPI', name: 'flask-login', version: '0.5', scope: 'development' });
    expect(again).toMatchObject({ status: 409, body: { reason: 'already_tracked' } });
  });

  test('are rejected with a version that their ecosystem does not know', async () => {
    const { add, path, key } = await newStack();
    const bad = await add({ ...lodash, version: 'latest' });
    expect(bad).toMatchObject({ status: 422, body: { errors: [{ field: 'version', reason: 'not_a_version' }] } });
    const { body } = await add(lodash);
    const update = await service.call(key, 'PATCH', `${path}/${textAt(body, 'id')}`, { version: 'latest' });
    expect(update).toMatchObject({ status: 422, body: { errors: [{ field: 'version', reason: 'not_a_version' }] } });
  });

  test('are updated in place, and only when something differs', async () => {
    const { organisation, key, path, add } = await newStack();
    const { body } = await add(lodash);
    const update = (change: object) => service.call(key, 'PATCH', `${path}/${textAt(body, 'id')}`, change);
    expect((await update({ version: '4.17.11', scope: 'runtime' })).body).toEqual(body);
    expect(await update({ version: '4.17.21' })).toMatchObject({
      status: 200,
      body: { version: '4.17.21', revision: 2 },
    });
    expect(await update({ scope: 'optional', expected_revision: 2 })).toMatchObject({
      body: { scope: 'optional', revision: 3 },
    });
    expect(await update({ scope: 'runtime', expected_revision: 2 })).toMatchObject({
      status: 412,
      body: { code: 'revision_mismatch' },
    });
    expect(await update({})).toMatchObject({ status: 422, body: { errors: [{ reason: 'no_change' }] } });
    await add(lodash);
    expect(await update({ version: '4.17.11' })).toMatchObject({ status: 409, body: { reason: 'already_tracked' } });
    expect(await auditActions(organisation.id)).toEqual([
      'tech_stack.add',
      'tech_stack.update',
      'tech_stack.update',
      'tech_stack.add',
    ]);
  });

  test('lose the deprecation notice of a version that they leave', async () => {
    const { key, path } = await newStack();
    const packages = [{ ...lodash, deprecated: 'broken release' }];
    await service.call(key, 'POST', `${path}/sync`, { source: 'a', packages });
    const id = textAt((await service.call(key, 'GET', path)).body, 'items.0.id');
    const scoped = await service.call(key, 'PATCH', `${path}/${id}`, { scope: 'optional' });
    expect(at(scoped.body, 'health.deprecated')).toBe('broken release');
    const moved = await service.call(key, 'PATCH', `${path}/${id}`, { version: '4.17.21' });
    expect(at(moved.body, 'health.deprecated')).toBeNull();
  });

  test('are removed', async () => {
    const { organisation, key, path, add } = await newStack();
    const id = textAt((await add(lodash)).body, 'id');
    expect((await service.call(key, 'DELETE', `${path}/${id}`)).body).toEqual({ id, deleted: true });
    expect(await service.call(key, 'DELETE', `${path}/${id}`)).toMatchObject({
      status: 404,
      body: { resource: 'tech_stack_item' },
    });
    expect(at((await service.call(key, 'GET', path)).body, 'total')).toBe(0);
    expect(await auditActions(organisation.id)).toEqual(['tech_stack.add', 'tech_stack.remove']);
  });

  test('show their health: the manifest’s notice, the package’s, and malware of this version', async () => {
    const { key, path } = await newStack();
    const [known, noticed, bad] = [unique.packageName(), unique.packageName(), unique.packageName()];
    await service.database.system((tx) =>
      tx
        .insertInto('package_health')
        .values([
          {
            ecosystem: 'npm',
            package_name: known,
            deprecated: null,
            unmaintained_since: '2020-02-29',
            replacement: 'better',
            source: 'RUSTSEC-1',
          },
          {
            ecosystem: 'npm',
            package_name: noticed,
            deprecated: 'all versions',
            unmaintained_since: null,
            replacement: null,
            source: 'npm',
          },
        ])
        .execute(),
    );
    const malware = unique.advisoryId('MAL');
    await storeAdvisory(service.database, bad, advisory(malware, '1.0.0', '1.0.1', { malicious: true }));
    await storeAdvisory(service.database, bad, advisory(unique.advisoryId(), '1.0.0', '2.0.0'));
    const one = (name: string, more = {}) => ({ ecosystem: 'npm', name, version: '1.0.0', ...more });
    const packages = [
      one(known),
      one(noticed, { deprecated: 'this version' }),
      one(bad),
      one(bad, { version: '1.0.1' }),
    ];
    await service.call(key, 'POST', `${path}/sync`, { source: 'package-lock.json', packages });
    const { body } = await service.call(key, 'GET', path);
    const items = at(body, 'items');
    const healthOf = (name: string, version = '1.0.0') =>
      Array.isArray(items)
        ? at(
            items.find((item) => at(item, 'name') === name && at(item, 'version') === version),
            'health',
          )
        : undefined;
    expect(healthOf(known)).toEqual({
      deprecated: null,
      unmaintained_since: '2020-02-29',
      malicious: false,
      replacement: 'better',
      source: 'RUSTSEC-1',
    });
    expect(healthOf(noticed)).toMatchObject({ deprecated: 'this version', source: 'package-lock.json, npm' });
    expect(healthOf(bad)).toMatchObject({ malicious: true, source: malware });
    expect(healthOf(bad, '1.0.1')).toMatchObject({ malicious: false, source: null });
  });

  test('of other projects and organisations do not exist', async () => {
    const [own, other] = [await newStack(), await newStack()];
    const sibling = await newProject(service, own.organisation);
    const id = textAt((await own.add(lodash)).body, 'id');
    const foreign = textAt((await other.add(lodash)).body, 'id');
    const calls: [path: string, resource: string][] = [
      [`${own.path}/${foreign}`, 'tech_stack_item'],
      [`/api/projects/${sibling}/tech-stack/${id}`, 'tech_stack_item'],
      [`${other.path}/${foreign}`, 'project'],
      [`${other.path}/${id}`, 'project'],
    ];
    for (const [path, resource] of calls) {
      const missing = { status: 404, body: { resource } };
      expect(await service.call(own.key, 'PATCH', path, { scope: 'optional' })).toMatchObject(missing);
      expect(await service.call(own.key, 'DELETE', path)).toMatchObject(missing);
    }
    const noProject = { status: 404, body: { resource: 'project' } };
    expect(await service.call(own.key, 'GET', other.path)).toMatchObject(noProject);
    expect(await service.call(own.key, 'POST', other.path, lodash)).toMatchObject(noProject);
    expect(await service.call(own.key, 'POST', `${other.path}/sync`, { source: 'a', packages: [] })).toMatchObject(
      noProject,
    );
    const document = { bomFormat: 'CycloneDX', specVersion: '1.6', components: [] };
    expect(await service.call(own.key, 'POST', `${other.path}/sbom`, document)).toMatchObject(noProject);
    expect(at((await service.call(other.key, 'GET', other.path)).body, 'total')).toBe(1);
  });

  test('are changed by write keys only', async () => {
    const { organisation, path } = await newStack();
    for (const [method, rest, body] of [
      ['POST', '', lodash],
      ['POST', '/sync', { source: 'a', packages: [] }],
      ['PATCH', '/any', { scope: 'optional' }],
      ['DELETE', '/any'],
    ] as const) {
      expect((await service.call(organisation.readKey, method, `${path}${rest}`, body)).status).toBe(403);
    }
  });
});
