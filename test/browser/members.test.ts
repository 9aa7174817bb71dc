import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';

const dashboard = startDashboard();

/** Chooses from the menu of a member's row. */
async function choose(page: Page, name: string, item: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** The link that a dialog shows once, as a path of this site. */
async function shownLink(page: Page, pattern: RegExp) {
  const text = (await page.getByRole('dialog').locator('pre', { hasText: pattern }).textContent()) ?? '';
  expect(text.startsWith(dashboard().url)).toBe(true);
  return text.slice(dashboard().url.length);
}

describe.skipIf(!hasChromium)('members', () => {
  test('are invited by a link whose token no server sees, and sign in', async () => {
    const { service, open } = dashboard();
    const organisation = await service.newOrganisation();
    const page = await open('/settings/members', { organisation });
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('dialog').getByLabel('E-mail').fill(`Ada.${organisation.id}@example.com`);
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    const link = await shownLink(page, /accept-invite/);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'I have handed it over' }).click();
    const invites = page.getByRole('table', { name: 'Invites' });
    await invites.getByText('pending', { exact: true }).waitFor();

    const invited = await open(link, { organisation, as: null });
    expect(link).toMatch(/^\/accept-invite#token=postern_invite_/);
    await invited.getByLabel('Your name').fill('Ada');
    await invited.getByLabel('Password').fill('too short');
    await invited.getByText('3 to go').waitFor();
    await expectAccessible(invited);
    await invited.getByLabel('Password').fill('correct horse battery');
    const sent = invited.waitForRequest(/\/trpc\/organisation\.acceptInvite/);
    await invited.getByRole('button', { name: 'Become a member' }).click();
    expect((await sent).url()).not.toContain('postern_invite_');
    await invited.getByText('You are a member now.').waitFor();
    await invited.getByLabel('E-mail').fill(`ada.${organisation.id}@example.com`);
    await invited.getByLabel('Password').fill('correct horse battery');
    await invited.getByRole('button', { name: 'Sign in' }).click();
    await invited.getByRole('navigation', { name: 'Main' }).waitFor();

    await page.reload();
    await page.getByRole('row', { name: /Ada/ }).first().waitFor();
    await invites.getByText('accepted', { exact: true }).first().waitFor();
  });

  test('cannot come in by an invite that was revoked, or twice by one', async () => {
    const { service, open } = dashboard();
    const organisation = await service.newOrganisation();
    const page = await open('/settings/members', { organisation });
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('dialog').getByLabel('E-mail').fill('bob@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    const link = await shownLink(page, /accept-invite/);
    await page.getByRole('button', { name: 'I have handed it over' }).click();
    await page.getByRole('button', { name: 'Revoke the invite of bob@example.com' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No invite is pending').first().waitFor();
    const invited = await open(link, { organisation, as: null, expects: /400/ });
    await invited.getByLabel('Your name').fill('Bob');
    await invited.getByLabel('Password').fill('correct horse battery');
    await invited.getByRole('button', { name: 'Become a member' }).click();
    await invited.getByText('This invite opens nothing any more').waitFor();
    expect(await invited.getByLabel('Your name').inputValue()).toBe('Bob');
    await expectAccessible(invited);
  });

  test('get a link for a new password from an admin, and all their sessions end', async () => {
    const { service, open } = dashboard();
    const organisation = await service.newOrganisation();
    const { member } = organisation;
    const page = await open('/settings/members', { organisation });
    await choose(page, member.name, 'Link for a new password');
    await page.getByRole('button', { name: 'Make the link' }).click();
    const link = await shownLink(page, /reset-password/);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'I have handed it over' }).click();

    const other = await open(link, { organisation, as: null, expects: /400/ });
    await other.getByLabel('New password').fill('a password of many words');
    await other.getByRole('button', { name: 'Set password' }).click();
    await other.getByText('Your new password is set').waitFor();
    await other.getByLabel('E-mail').fill(member.email);
    await other.getByLabel('Password').fill('a password of many words');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('navigation', { name: 'Main' }).waitFor();
    expect((await service.call(member.session, 'GET', '/api/session')).status).toBe(401);

    const again = await dashboard().openTab(other, link);
    await again.getByLabel('New password').fill('a password of many words');
    await again.getByRole('button', { name: 'Set password' }).click();
    await again.getByText('This link opens nothing any more').waitFor();
    await expectAccessible(again);
  });

  test('change their role, are signed out, and are removed; the last admin stays', async () => {
    const { service, open } = dashboard();
    const organisation = await service.newOrganisation();
    const { admin, member } = organisation;
    const page = await open('/settings/members', { organisation, expects: /409/ });
    await choose(page, admin.name, 'Remove me');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The organisation needs at least one admin.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();

    await choose(page, member.name, 'Change roles');
    await page.getByRole('dialog').getByRole('radio', { name: 'Admin' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Change roles' }).click();
    await page.getByText('2 members, 2 of them admins').waitFor();

    await choose(page, member.name, 'Show sessions');
    await page.waitForURL(new RegExp(`sessions_of=${member.id}`));
    const sessions = page.getByRole('table', { name: 'Sessions' });
    await sessions.getByText(member.name).waitFor();
    await sessions.getByRole('button', { name: `End the session of ${member.name}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click();
    await page.getByText('This member has no session that goes on.').waitFor();
    expect((await service.call(member.session, 'GET', '/api/session')).status).toBe(401);

    await choose(page, member.name, 'Remove from the organisation');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('1 member, an admin').waitFor();
  });

  test('get roles in groups of projects, are deactivated and come back, and their address is confirmed', async () => {
    const { service, open } = dashboard();
    const organisation = await service.newOrganisation();
    const { admin, member } = organisation;
    await service.call(admin.session, 'POST', '/api/groups', { name: 'Retail' });
    const page = await open('/settings/members', { organisation, expects: /400/ });
    const row = page.getByRole('table', { name: 'Members' }).getByRole('row', { name: member.name });
    await choose(page, member.name, 'Change roles');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'None' }).check();
    await dialog.getByLabel('Add a role in a group of projects').selectOption({ label: 'Retail' });
    await dialog.getByLabel('Role in Retail').selectOption({ label: 'Triager' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Change roles' }).click();
    await row.getByText('triager in Retail').waitFor();
    expect((await service.call(member.session, 'GET', '/api/org/members')).status).toBe(403);
    await choose(page, member.name, 'Change roles');
    await dialog.getByLabel('Role in Retail').selectOption({ label: 'None' });
    await dialog.getByRole('radio', { name: 'Viewer' }).check();
    await dialog.getByRole('button', { name: 'Change roles' }).click();
    await row.getByText('viewer', { exact: true }).waitFor();

    await choose(page, member.name, 'Deactivate');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click();
    await row.getByText('deactivated').waitFor();
    expect((await service.call(member.session, 'GET', '/api/session')).status).toBe(401);
    await expectAccessible(page);
    await choose(page, member.name, 'Reactivate');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reactivate' }).click();
    await row.getByText('deactivated').waitFor({ state: 'detached' });

    await row.getByText('not proven').waitFor();
    await choose(page, member.name, 'Confirm the address');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('alertdialog').getByRole('alert').waitFor();
    const domain = {
      organisation_id: organisation.id,
      domain: 'example.com',
      challenge: 'x',
      proven_by: 'dns',
    } as const;
    await service.database.system((tx) => tx.insertInto('email_domains').values(domain).execute());
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
    await row.getByText('proven by its domain').waitFor();
    await service.database.system((tx) => tx.deleteFrom('email_domains').where('domain', '=', 'example.com').execute());
  });

  test('who are no admins see who is there, and no way to change it', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/settings/members', { organisation, as: 'member', width: 380 });
    await page.getByText('Only admins can change this.').waitFor();
    await page.getByText(organisation.admin.email).waitFor();
    for (const name of ['Invite', /^Actions for/, /^End/])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

  test('are shown beside a part that fails', async () => {
    const organisation = await dashboard().service.newOrganisation();
    dashboard().inject(/GET \/api\/org\/invites/, failing(500));
    const page = await dashboard().open('/settings/members', { organisation, expects: /50\d|207/ });
    await page.getByText(organisation.member.email).waitFor();
    await page.getByRole('region', { name: 'Invites' }).getByRole('alert').waitFor();
    await expectAccessible(page);
  });
});
