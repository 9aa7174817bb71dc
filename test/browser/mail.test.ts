import { describe, expect, test } from 'vitest';
import { publicUrl, startSending } from '../service/mail/mailing-service.js';
import { eventually } from '../support/eventually.js';
import { startSmtpServer } from '../support/smtp-server.js';
import { expectAccessible } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';

const dashboard = startDashboard({ canMail: true });

async function startMailing(answer?: (command: string) => string | undefined) {
  const server = await startSmtpServer(answer === undefined ? {} : { answer });
  startSending(dashboard().service.database, server);
  /** The link that somebody has got, as a path of this site. */
  const linkTo = (address: string) =>
    eventually(() => {
      const [link] = server.received.find(({ to }) => to === address)?.text.match(/https:\S+#token=\S+/) ?? [''];
      expect(link.startsWith(publicUrl)).toBe(true);
      return link.slice(publicUrl.length);
    });
  return { linkTo };
}

describe.skipIf(!hasChromium)('where links go by mail', () => {
  test('an invite’s dialog says where its link went, and who opens it becomes a member', async () => {
    const { linkTo } = await startMailing();
    const { service, open } = dashboard();
    const organisation = await service.newOrganisation();
    const email = `ada.${organisation.id}@example.com`;
    const page = await open('/settings/members', { organisation });
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByText('The person signs in with it, and gets a link there.').waitFor();
    await page.getByRole('dialog').getByLabel('E-mail').fill(email);
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    await page.getByText(`A link is being sent to ${email}.`).waitFor();
    await expectAccessible(page);
    expect(await page.content()).not.toContain('#token=');
    await page.getByRole('button', { name: 'Done' }).click();
    const invited = await open(await linkTo(email), { organisation, as: null });
    await invited.getByLabel('Your name').fill('Ada');
    await invited.getByLabel('Password').fill('correct horse battery');
    await invited.getByRole('button', { name: 'Become a member' }).click();
    await invited.getByText('You are a member now.').waitFor();
    await invited.getByLabel('E-mail').fill(email);
    await invited.getByLabel('Password').fill('correct horse battery');
    await invited.getByRole('button', { name: 'Sign in' }).click();
    await invited.getByRole('navigation', { name: 'Main' }).waitFor();
    await invited.goto('/settings/account');
    await invited.getByText('by a link that was sent to it').waitFor();
  });

  test('the list of invites says that the mail server refused an address', async () => {
    await startMailing((command) => (/^RCPT/.test(command) ? '550 unknown' : undefined));
    const { service, open } = dashboard();
    const organisation = await service.newOrganisation();
    await service.call(organisation.admin.session, 'POST', '/api/org/invites', { email: 'typo@example.com' });
    await eventually(async () => {
      const { body } = await service.call(organisation.admin.session, 'GET', '/api/org/invites');
      expect(body).toMatchObject({ items: [{ delivery: 'failed' }] });
    });
    const page = await open('/settings/members', { organisation });
    await page.getByRole('table', { name: 'Invites' }).getByText('mail refused').waitFor();
    await expectAccessible(page);
  });

  test('a member gets a link for a new password', async () => {
    const { linkTo } = await startMailing();
    const { service, open } = dashboard();
    const organisation = await service.newOrganisation();
    const { member } = organisation;
    const page = await open('/settings/members', { organisation });
    await page.getByRole('button', { name: `Actions for ${member.name}` }).click();
    await page.getByRole('menuitem', { name: /password/i }).click();
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText(`A link is being sent to ${member.email}.`).waitFor();
    expect(await linkTo(member.email)).toMatch(/^\/reset-password#token=postern_reset_/);
  });

  test('a member shows the own address, by a link that is opened where the member is signed in', async () => {
    const { linkTo } = await startMailing();
    const { service, open } = dashboard();
    const organisation = await service.newOrganisation();
    const { member } = organisation;
    const page = await open('/settings/account', { organisation, as: 'member' });
    await page.getByText('by nobody yet').waitFor();
    await page.getByRole('button', { name: 'Send a link to it' }).click();
    await page.getByText(`A link is being sent to ${member.email}`).first().waitFor();
    const link = await linkTo(member.email);

    const admin = await open(link, { organisation, expects: /400/ });
    await admin.getByRole('button', { name: `Confirm ${organisation.admin.email}` }).click();
    await admin.getByText(/Is no link to this account’s address/i).waitFor();

    // Signed out, the member is asked to sign in first, and comes back to the link.
    const elsewhere = await open(link, { organisation, as: null, expects: /401/ });
    await elsewhere.getByLabel('E-mail').fill(member.email);
    await elsewhere.getByLabel('Password').fill(member.password);
    await elsewhere.getByRole('button', { name: 'Sign in' }).click();
    await elsewhere.getByRole('button', { name: `Confirm ${member.email}` }).click();
    await elsewhere.getByText('by a link that was sent to it').waitFor();
    await expectAccessible(elsewhere);
    expect(elsewhere.url()).not.toContain('token');
  });
});
