import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

let service: TestService;
let mine: TestOrganisation;
let other: TestOrganisation;

beforeAll(async () => {
  service = await startService();
  mine = await service.newOrganisation({ plan: 'Enterprise' });
  other = await service.newOrganisation({ plan: 'Enterprise' });
});
afterAll(() => service.close());

describe('another organisation’s', () => {
  test('members, invites, keys and projects are not found, and stay as they are', async () => {
    const invite = await service.call(other.admin.session, 'POST', '/api/org/invites', {
      email: `i-${other.id}@example.com`,
    });
    const project = await service.call(other.writeKey, 'POST', '/api/projects', { name: 'theirs' });
    const projectPath = `/api/projects/${textAt(project.body, 'id')}`;
    const calls: [string, string, unknown?][] = [
      ['PATCH', `/api/org/members/${other.member.id}`, { role: 'admin' }],
      ['DELETE', `/api/org/members/${other.member.id}`],
      ['DELETE', `/api/org/invites/${textAt(invite.body, 'invite.id')}`],
      ['DELETE', `/api/org/api-keys/${other.readKeyId}`],
      ['GET', projectPath],
      ['PATCH', projectPath, { name: 'mine' }],
      ['DELETE', projectPath],
      ['GET', `${projectPath}/alerts`],
      ['GET', `${projectPath}/tech-stack`],
      ['POST', `${projectPath}/tech-stack/sync`, { source: 'a', packages: [] }],
      ['GET', `${projectPath}/package-health`],
    ];
    for (const [method, path, body] of calls) {
      const answer = await service.call(mine.admin.session, method, path, body);
      expect(answer.body, `${method} ${path}`).toMatchObject({ status: 404, code: 'not_found' });
    }
    expect((await service.call(other.readKey, 'GET', projectPath)).status).toBe(200);
    expect((await service.call(other.member.session, 'GET', '/api/session')).status).toBe(200);
  });

  test('rows are in no list', async () => {
    for (const path of [
      '/api/org/members',
      '/api/org/invites',
      '/api/org/audit-log',
      '/api/org/api-keys',
      '/api/projects',
    ]) {
      const { body } = await service.call(mine.admin.session, 'GET', `${path}?page_size=100`);
      expect(JSON.stringify(body), path).not.toContain(other.id);
      expect(JSON.stringify(body), path).not.toContain(other.member.id);
      expect(JSON.stringify(body), path).not.toContain(other.readKeyId);
    }
    const members = await service.call(mine.admin.session, 'GET', '/api/org/members');
    expect(at(members.body, 'total')).toBe(2);
  });
});
