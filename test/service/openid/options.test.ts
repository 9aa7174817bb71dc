import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../../support/service.js';
import { bind, ownDomain, startWorld, type World } from './signing-in.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const optionsFor = async (body: Readonly<Record<string, unknown>>, service = world.service) => {
  const answer = await service.call(null, 'POST', '/api/session/options', { email: '', ...body });
  expect(answer.status).toBe(200);
  return answer.body;
};

const server = () => ({ id: 'instance', name: new URL(world.server.issuer).host });

test('are a password and the server’s issuer, whoever asks', async () => {
  const { member } = await world.service.newOrganisation();
  const common = { password: true, issuers: [server()] };
  for (const email of ['', 'x', member.email, `nobody-${randomUUID()}@example.com`, `@${'a'.repeat(200)}`])
    expect(await optionsFor({ email })).toEqual(common);
});

test('are the organisation’s own issuer too, for any address of its domain, and no password where it has none', async () => {
  const organisation = await world.service.newOrganisation();
  const own = { client_id: 'c', client_secret: 's' };
  const id = await bind(world.service, organisation, 'https://login.example.com/realm', own);
  const domain = await ownDomain(world.service, organisation);
  const issuers = [{ id, name: 'login.example.com' }, server()];
  expect(await optionsFor({ email: `Anybody@${domain.toUpperCase()} ` })).toEqual({ password: true, issuers });
  await world.service.database.system((tx) =>
    tx.updateTable('organisations').set({ password_sign_in: false }).where('id', '=', organisation.id).execute(),
  );
  expect(await optionsFor({ email: `anybody@${domain}` })).toEqual({ password: false, issuers });
  await world.service.database.system((tx) =>
    tx.updateTable('email_domains').set({ proven_by: null }).where('domain', '=', domain).execute(),
  );
  expect(await optionsFor({ email: `anybody@${domain}` })).toEqual({ password: true, issuers: [server()] });
});

test('of an invite are what its organisation takes', async () => {
  const organisation = await world.service.newOrganisation();
  const { body } = await world.service.call(organisation.admin.session, 'POST', '/api/org/invites', {
    email: `${randomUUID()}@example.com`,
  });
  const { token: invite_token } = Object(body);
  expect(await optionsFor({ invite_token })).toEqual({ password: true, issuers: [] });
  await bind(world.service, organisation, world.server.issuer);
  expect(await optionsFor({ invite_token })).toEqual({ password: true, issuers: [server()] });
  expect(await optionsFor({ invite_token: 'postern_invite_none' })).toEqual({ password: true, issuers: [server()] });
});

test('are a password alone where no issuer can send anybody back', async () => {
  const plain = await startService();
  const organisation = await plain.newOrganisation();
  await bind(plain, organisation, 'https://login.example.com', { client_id: 'c', client_secret: 's' });
  const domain = await ownDomain(plain, organisation);
  expect(await optionsFor({ email: `a@${domain}` }, plain)).toEqual({ password: true, issuers: [] });
  await plain.close();
});
