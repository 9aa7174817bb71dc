import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';

const dashboard = startDashboard({ withIssuer: true });

describe.skipIf(!hasChromium)('the sign-in settings', () => {
  test('bind the server’s issuer and another, change what people get, and remove one', async () => {
    const { service, issuer, open } = dashboard();
    const organisation = await service.newOrganisation();
    const page = await open('/settings/sign-in', { organisation, expects: /400/ });
    await page.getByText('No issuer is bound.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add an issuer' }).click();
    expect(await page.getByRole('textbox', { name: 'Issuer', exact: true }).inputValue()).toBe(issuer.issuer);
    await expectAccessible(page);
    await page.getByLabel('Who becomes a member').selectOption('yes');
    await page.getByLabel('Claim with groups').fill('groups');
    await page.getByLabel('Roles of groups').fill('security = admin\nengineering: member');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“engineering: member” is no group = role').waitFor();
    await page.getByLabel('Roles of groups').fill('security = admin\n\ndev=ops = Member');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('By this server’s own client.').waitFor();
    await page.getByText('Roles by the groups in groups: security is admin, dev=ops is member.').waitFor();
    await page.getByText('Whoever has a verified address of your domains becomes viewer.').waitFor();

    await page.getByRole('button', { name: 'Add an issuer' }).click();
    await page.getByRole('textbox', { name: 'Issuer', exact: true }).fill('https://login.example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/so it needs client_id and client_secret/).waitFor();
    await page.getByLabel('Client id').fill('postern');
    await page.getByLabel('Client secret').fill('very secret');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('By your client postern.').waitFor();
    await page.getByRole('button', { name: 'Change https://login.example.com' }).click();
    await page.getByLabel('As', { exact: true }).selectOption('member');
    await page.getByLabel('Who becomes a member').selectOption('yes');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('becomes member').waitFor();
    await page.getByRole('button', { name: 'Remove https://login.example.com' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('By your client postern.').waitFor({ state: 'detached' });
    await expectAccessible(page);
  });

  test('show a domain’s record, and turn passwords off and on', async () => {
    const { service, issuer, open } = dashboard();
    const organisation = await service.newOrganisation();
    const { admin } = organisation;
    const page = await open('/settings/sign-in', { organisation, expects: /400/, width: 380 });
    const domain = `d-${randomUUID()}.example`;
    await page.getByRole('textbox', { name: 'Domain', exact: true }).fill(domain);
    await page.getByRole('button', { name: 'Add a domain' }).click();
    await page.getByText(`_postern-challenge.${domain}`).waitFor();
    await expectNoSidewaysScroll(page);
    await service.database.system((tx) =>
      tx.updateTable('email_domains').set({ proven_by: 'dns' }).where('domain', '=', domain).execute(),
    );
    await page.getByRole('button', { name: `Look for the record of ${domain}` }).click();
    await page.getByText('Shown by DNS.').waitFor();

    await page.getByRole('button', { name: 'Turn passwords off' }).click();
    await page.getByText(/Needs an issuer/i).waitFor();
    await service.call(admin.session, 'POST', '/api/org/issuers', { issuer: issuer.issuer });
    await page.getByRole('button', { name: 'Turn passwords off' }).click();
    await page.getByText(`${admin.name} may go on using a password.`).waitFor();
    await expectAccessible(page);
    const outside = await open('/sign-in', { organisation, as: null });
    await outside.getByLabel('E-mail').fill(`a@${domain}`);
    await outside.getByLabel('Password').focus();
    await outside.getByText('only for its break-glass admin').waitFor();
    // By the keyboard: at this width the message that it was done lies over it.
    await page.getByRole('button', { name: 'Turn passwords on' }).press('Enter');
    await page.getByText('Members sign in by password too.').waitFor();
  });

  test('are for admins', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/settings/sign-in', { organisation, as: 'member' });
    await page.getByText('Only an admin of your organisation').waitFor();
    await expectAccessible(page);
  });

  test('of one’s own account link a sign-in and undo that', async () => {
    const { service, issuer, open } = dashboard();
    const organisation = await service.newOrganisation();
    await service.call(organisation.admin.session, 'POST', '/api/org/issuers', { issuer: issuer.issuer });
    const { member } = organisation;
    issuer.person = { sub: randomUUID(), email: member.email, email_verified: true };
    const page = await open('/settings/account', { organisation, as: 'member' });
    await page.getByText('No issuer signs you in to this account.').waitFor();
    await page.getByRole('button', { name: /^Link my sign-in at/ }).click();
    await page.getByText(/127\.0\.0\.1:\d+, since/).waitFor();
    await expectAccessible(page);
    const other = await open('/sign-in', { organisation, as: null });
    await other.getByRole('button', { name: /^Sign in with/ }).click();
    await other.getByRole('navigation', { name: 'Main' }).waitFor();
    await other.goto('/settings/account');
    await other.getByText(`You are ${member.name}`).waitFor();
    await page.getByRole('button', { name: 'Unlink' }).click();
    await page.getByRole('button', { name: 'Unlink', exact: true }).last().click();
    await page.getByText('No issuer signs you in to this account.').waitFor();
  });
});
