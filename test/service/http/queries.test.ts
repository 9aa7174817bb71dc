import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kind, testDatabase } from '../../support/database.js';
import { startService, type TestService } from '../../support/service.js';
import { watched } from './watched-database.js';

let service: TestService;
let queries = 0;
let tenantTransactions = 0;

beforeAll(async () => {
  const database = watched(await testDatabase(), () => (queries += 1));
  const tenant: typeof database.tenant = (organisationId, work) => {
    tenantTransactions += 1;
    return database.tenant(organisationId, work);
  };
  service = await startService({ database: { ...database, tenant } });
});
afterAll(() => service.close());

async function queriesOf(work: () => Promise<unknown>): Promise<number> {
  queries = 0;
  await work();
  return queries;
}

/** Where no other process can change what a credential is worth, a known caller is not looked up again. */
const ofCaller = kind === 'embedded' ? 0 : 1;

describe('the number of queries', () => {
  test('of a list is the same however many rows it has', async () => {
    const { admin, id } = await service.newOrganisation();
    const paths = ['/api/org/members', '/api/org/invites', '/api/org/audit-log', '/api/org/api-keys'];
    const read = (path: string) => queriesOf(() => service.call(admin.session, 'GET', `${path}?page_size=100`));
    await service.call(admin.session, 'GET', '/api/session');
    const few: number[] = [];
    for (const path of paths) few.push(await read(path));
    for (let index = 0; index < 5; index += 1) {
      await service.newMember(id, 'member');
      await service.call(admin.session, 'POST', '/api/org/invites', { email: `q${index}-${id}@example.com` });
      await service.call(admin.session, 'POST', '/api/org/api-keys', { name: `key ${index}`, scope: 'ReadOnly' });
    }
    await service.call(admin.session, 'GET', '/api/session');
    const many: number[] = [];
    for (const path of paths) many.push(await read(path));
    expect(few).toEqual(paths.map(() => ofCaller + 3));
    expect(many).toEqual(few);
  });

  test('to know a caller is one, and one more when the minute is new', async () => {
    const { readKey } = await service.newOrganisation();
    const read = (path: string) => queriesOf(() => service.call(readKey, 'GET', path));
    expect([await read('/api/org'), await read('/api/projects')]).toEqual([3, 3 + ofCaller]);
  });

  test('is none for a key that cannot be one, or no key', async () => {
    const { readKey } = await service.newOrganisation();
    const wrong = `${readKey.slice(0, -1)}${readKey.endsWith('0') ? '1' : '0'}`;
    expect(await queriesOf(() => service.call(wrong, 'GET', '/api/org'))).toBe(0);
    expect(await queriesOf(() => service.call(null, 'GET', '/api/org'))).toBe(0);
  });

  test.each([
    ['sast/reports?source_repo=shop', { version: '1' }],
    ['dast/reports', { version: '1' }],
    ['containers/reports', { version: '1' }],
    ['tech-stack/sbom', { bomFormat: 'none' }],
    ['tech-stack/sync', { source: 'lock', packages: [{ purl: 'pkg:npm/a@not-a-version' }] }],
  ])(
    'of %s that cannot be read is at most the one to know its sender, and no transaction begins',
    async (path, body) => {
      const { writeKey } = await service.newOrganisation();
      await service.call(writeKey, 'GET', '/api/org');
      tenantTransactions = 0;
      const upload = () => service.call(writeKey, 'POST', `/api/projects/prj_${'a'.repeat(20)}/${path}`, body);
      expect(await queriesOf(upload)).toBe(ofCaller);
      expect(await upload()).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
      expect(tenantTransactions).toBe(0);
    },
  );
});
