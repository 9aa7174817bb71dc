import { afterAll, beforeAll, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ auditReads: true });
});
afterAll(() => service.close());

test('a read with a key leaves who, what and whether, and nothing of the content; a member’s leaves nothing', async () => {
  const { admin, readKey } = await service.newOrganisation();
  const rows = async () => at((await service.call(admin.session, 'GET', '/api/org/audit-log')).body, 'items');
  const before = await rows();
  await service.call(readKey, 'GET', '/api/projects?page_size=7');
  await service.call(readKey, 'GET', '/api/projects/secret-name', undefined, { 'x-request-id': 'read-2' });
  await service.call(readKey, 'POST', '/api/projects', { name: 'not allowed' });
  const all = [await rows()].flat();
  const added = all.slice(0, all.length - [before].flat().length);
  expect(added).toMatchObject([
    {
      action: 'projects.get',
      actor: { kind: 'api_key' },
      target: { kind: 'procedure', id: 'get_project' },
      after: { outcome: 'not_found' },
      request_id: 'read-2',
    },
    { action: 'projects.list', target: { id: 'list_projects' }, after: { outcome: 'ok' } },
  ]);
  expect(JSON.stringify(added)).not.toMatch(/secret-name|page_size/);
});
