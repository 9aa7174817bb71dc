import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';

const dashboard = startDashboard();

describe.skipIf(!hasChromium)('the organisation', () => {
  test('is renamed, and the frame shows its new name', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/settings', { organisation, expects: /400/ });
    await page.getByLabel('Contact e-mail').fill('security@example.com');
    await page.getByRole('textbox', { name: 'Name' }).fill('Acme');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Acme is on the Business plan.').waitFor();
    await page.getByRole('button', { name: /^Account: .*, Acme$/ }).waitFor();
    await expectAccessible(page);
    await page.reload();
    expect(await page.getByLabel('Contact e-mail').inputValue()).toBe('security@example.com');
    await page.getByRole('textbox', { name: 'Name' }).fill('\u202eemcA');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/characters that show nothing/).waitFor();
  });

  test('shows what somebody else wrote meanwhile, and loses nothing that was typed', async () => {
    const { service, open } = dashboard();
    const organisation = await service.newOrganisation();
    const page = await open('/settings', { organisation, expects: /409/ });
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
    await service.call(organisation.admin.session, 'PATCH', '/api/org', { name: 'Theirs' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It is now called “Theirs”').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Mine');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByText('Mine is on the Business plan.').waitFor();
  });

  test('of a member who is no admin is read, not changed', async () => {
    const organisation = await dashboard().service.newOrganisation({ plan: 'Free' });
    const page = await dashboard().open('/settings', { organisation, as: 'member', width: 380 });
    await page.getByText('Admins change this.').waitFor();
    await page.getByRole('columnheader', { name: 'Free (yours)' }).waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

  test('says that the service has trouble', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const mend = dashboard().inject(/GET \/api\/org$/, failing(500));
    const page = await dashboard().open('/settings', { organisation, expects: /50\d/ });
    await page.getByRole('alert').waitFor();
    mend();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor();
  });
});
