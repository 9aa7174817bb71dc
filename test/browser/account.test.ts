import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';

const dashboard = startDashboard();

describe.skipIf(!hasChromium)('my account', () => {
  test('changes the password by the current one, and ends the other sessions', async () => {
    const { service, open } = dashboard();
    const organisation = await service.newOrganisation();
    const { member } = organisation;
    const page = await open('/settings/account', { organisation, as: 'member', expects: /400/ });
    const sessions = page.getByRole('table', { name: 'My sessions' });
    await sessions.getByText('this session').waitFor();
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('a password of many words');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Is not the current password.').waitFor();
    await expectAccessible(page);
    expect(await page.getByLabel('New password').inputValue()).toBe('a password of many words');

    await page.getByLabel('Current password').fill(member.password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText(/Your password was changed; 1 other session ended/).waitFor();
    expect(await page.getByLabel('New password').inputValue()).toBe('');
    expect((await service.call(member.session, 'GET', '/api/session')).status).toBe(401);
    await page.reload();
    await page.getByText(`You are ${member.name}, a member of`).waitFor();
  });

  test('ends one session, and signs out everywhere', async () => {
    const { service, open } = dashboard();
    const organisation = await service.newOrganisation();
    const { admin } = organisation;
    const page = await open('/settings/account', { organisation, expects: /401/ });
    const elsewhere = await open('/settings/account', { organisation, expects: /401/ });
    const sessions = page.getByRole('table', { name: 'My sessions' });
    await sessions.getByRole('row').nth(3).waitFor();
    await sessions.getByRole('button', { name: /^End the session of .* from an unknown address/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click();
    await page.getByText('1 session ended', { exact: true }).first().waitFor();
    await sessions.getByRole('row').nth(2).waitFor();
    await sessions.getByRole('row').nth(3).waitFor({ state: 'detached' });
    expect((await service.call(admin.session, 'GET', '/api/session')).status).toBe(401);

    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await expectAccessible(page);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/sign-in/);
    await elsewhere.getByRole('link', { name: 'Audit log' }).click();
    await elsewhere.getByText('Your session has ended').waitFor();
  });

  test('chooses the theme with the keyboard, for this browser', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/settings/account', { organisation, width: 380 });
    await page.getByRole('radio', { name: 'As the device' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await expectNoSidewaysScroll(page);
    await page.reload();
    await page.getByRole('radio', { name: 'Dark' }).waitFor();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });
});
