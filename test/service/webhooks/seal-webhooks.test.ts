import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { newId } from '../../../src/service/db/ids.js';
import { createSecretBox } from '../../../src/service/secrets/secret-box.js';
import { sealWebhooks } from '../../../src/service/webhooks/seal-webhooks.js';
import { openWebhook } from '../../../src/service/webhooks/webhook-row.js';
import { textAt } from '../../support/at.js';
import { ownDatabase } from '../../support/own-database.js';
import { testSecrets } from '../../support/secrets.js';
import { startService, type TestService } from '../../support/service.js';
import { newOrganisationWithProject } from '../projects/new-project.js';

let database: Database;
let service: TestService;
beforeAll(async () => {
  database = await ownDatabase();
  service = await startService({ database });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

const stored = () => database.system((tx) => tx.selectFrom('webhooks').selectAll().orderBy('id').execute());

test('addresses and signing secrets are kept sealed, and neither the log nor the audit has them', async () => {
  const { key, projectId } = await newOrganisationWithProject(service);
  const path = `/api/projects/${projectId}/webhooks`;
  const add = { kind: 'generic', name: 'ours', url: 'https://hooks.example.com/T0-mine?token=x1y2' };
  const added = await service.call(key, 'POST', path, add);
  const id = textAt(added.body, 'webhook.id');
  await service.call(key, 'PATCH', `${path}/${id}`, { url: 'https://hooks.example.com/T1-mine' });
  const secret = textAt(added.body, 'secret').replace('whsec_', '');
  const [row] = await stored();
  expect([row?.url, row?.secret]).toEqual([expect.stringMatching(/^sealed:/), expect.stringMatching(/^sealed:/)]);
  const texts = [JSON.stringify(await stored()), service.log()];
  texts.push(JSON.stringify((await service.call(key, 'GET', '/api/org/audit-log')).body));
  for (const text of texts) for (const part of ['T0-mine', 'T1-mine', 'x1y2', secret]) expect(text).not.toContain(part);
  expect((await service.call(key, 'GET', path)).body).toMatchObject({
    items: [{ url: 'https://hooks.example.com/…' }],
  });
});

test('those of an earlier version are sealed at a start, once; they open to what they were', async () => {
  const { organisation, projectId } = await newOrganisationWithProject(service);
  const secret = randomBytes(32);
  const plain = Array.from({ length: 450 }, (_, n) => ({
    organisation_id: organisation.id,
    id: newId('whk'),
    project_id: projectId,
    kind: 'generic' as const,
    name: `number ${n}`,
    url: `https://hooks.example.com/plain-${n}`,
    secret: n % 2 === 0 ? secret.toString('base64') : null,
    events: [],
  }));
  await database.system((tx) => tx.insertInto('webhooks').values(plain).execute());
  const before = await stored();
  expect(await sealWebhooks(database, testSecrets)).toBe(450);
  const sealed = await stored();
  expect(sealed.every(({ url }) => url.startsWith('sealed:'))).toBe(true);
  expect(JSON.stringify(sealed)).not.toContain(secret.toString('base64'));
  const open = (rows: Awaited<ReturnType<typeof stored>>) => rows.map((row) => openWebhook(testSecrets, row));
  // Where it goes is kept in the clear too: deliveries take turns by it.
  const expected = open(before).map((row) => ({ ...row, origin: 'hooks.example.com' }));
  expect(open(sealed)).toEqual(expected);
  expect(await sealWebhooks(database, testSecrets)).toBe(0);
  expect(await stored()).toEqual(sealed);
});

test('sealed under another key they do not open', async () => {
  const [row] = await stored();
  if (row === undefined) throw new Error('there is no webhook');
  expect(() => openWebhook(createSecretBox(randomBytes(32)), row)).toThrow('not sealed under');
});
