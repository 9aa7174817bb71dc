import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';

const dashboard = startDashboard();

async function fillIn(page: Page, { email, password }: { readonly email: string; readonly password: string }) {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe.skipIf(!hasChromium)('signing in', () => {
  test('says that e-mail or password is wrong, then that there were too many tries', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const { email } = organisation.admin;
    const page = await dashboard().open('/sign-in', { organisation, as: null, expects: /401|429/, width: 380 });
    await fillIn(page, { email, password: 'not the password' });
    await page.getByText('E-mail or password is wrong').waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    for (let count = 0; count < 10; count++) {
      const answered = page.waitForResponse(/session-cookie/);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await answered;
    }
    await page.getByText('Too many tries').waitFor();
    await page.getByText(/Try again at \d\d:\d\d:\d\d/).waitFor();
    await expectAccessible(page);
  });

  test('is left out by who is signed in already', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/sign-in', { organisation, as: null });
    await fillIn(page, organisation.member);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.goto('/sign-in?to=%2Fsettings%2Faccount');
    await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor();
    await page.goBack();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(page.url()).not.toMatch(/sign-in/);
  });

  test('leads to pages of this site alone', async () => {
    const organisation = await dashboard().service.newOrganisation();
    for (const to of ['//example.com', '/\\example.com', 'https://example.com', 'javascript:alert(1)']) {
      const page = await dashboard().open(`/sign-in?to=${encodeURIComponent(to)}`, { organisation, as: null });
      await fillIn(page, organisation.member);
      await page.getByRole('heading', { level: 1, name: 'Posture' }).waitFor();
      expect(new URL(page.url()).origin).toBe(dashboard().url);
    }
  });

  test('asks for the token where a link came without one', async () => {
    const organisation = await dashboard().service.newOrganisation();
    for (const path of ['/reset-password', '/accept-invite']) {
      const page = await dashboard().open(path, { organisation, as: null });
      await page.getByLabel('Token').waitFor();
      await expectAccessible(page);
    }
  });
});
