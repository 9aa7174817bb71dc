import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';

const dashboard = startDashboard();

async function fillIn(page: Page, { email, password }: { readonly email: string; readonly password: string }) {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe.skipIf(!hasChromium)('a session', () => {
  test('begins with the form, and goes where the person wanted to go', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/projects?sort=name', { organisation, as: null, expects: /401/ });
    await page.waitForURL(/\/sign-in\?/);
    await expectAccessible(page);
    await fillIn(page, organisation.member);
    await page.waitForURL(/\/projects/);
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    const [cookie] = await page.context().cookies(`${dashboard().url}/trpc`);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/trpc' });
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  test('is refused for a wrong password, and what was typed stays', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/sign-in', { organisation, as: null, expects: /401/ });
    await fillIn(page, { email: organisation.admin.email, password: 'not the password' });
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe(organisation.admin.email);
    await expectAccessible(page);
  });

  test('says that the service has trouble, and works when that is over', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/sign-in', { organisation, as: null, expects: /40[01]|50\d/ });
    const mend = dashboard().inject(/POST \/api\/session$/, failing(503));
    await fillIn(page, organisation.admin);
    await page.getByRole('alert').waitFor();
    mend();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  test('that was ended elsewhere asks to sign in, and returns to the same page', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/projects', { organisation, expects: /401/ });
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    // No answer that is still under way notices it before the link is followed.
    await page.waitForLoadState('networkidle');
    const { service } = dashboard();
    await service.database.system((tx) =>
      tx.deleteFrom('sessions').where('organisation_id', '=', organisation.id).execute(),
    );
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Alerts' }).click();
    await page.getByText('Your session has ended').waitFor();
    await fillIn(page, organisation.admin);
    await page.waitForURL(/\/alerts/);
  });

  test('ends for all tabs when one signs out', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const first = await dashboard().open('/projects', { organisation, expects: /401/ });
    const second = await dashboard().openTab(first, '/');
    await second.getByRole('heading', { level: 1, name: 'Posture' }).waitFor();
    await first.getByRole('button', { name: /^Account/ }).click();
    await first.getByRole('menuitem', { name: 'Sign out' }).click();
    await first.waitForURL(/\/sign-in/);
    await second.waitForURL(/\/sign-in/);
  });
});

describe.skipIf(!hasChromium)('the frame', () => {
  test('is reached by the keyboard: skip link, search by /, navigation', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/projects', { organisation });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Skip to the page');
    await page.keyboard.press('Enter');
    expect(await page.locator(':focus').getAttribute('id')).toBe('main');
    await page.keyboard.press('/');
    expect(await page.locator(':focus').getAttribute('aria-label')).toMatch(/Search/);
  });

  test('keeps the chosen theme, and follows the device without one', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/projects', { organisation, colorScheme: 'dark' });
    const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const dark = await ground();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Theme: system' }).click();
    await expect.poll(ground, { timeout: 300_000 }).not.toBe(dark);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await ground()).not.toBe(dark);
  });

  test('fits 380 pixels, with a menu for what the bar has no place for', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/projects', { organisation, width: 380 });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await page.waitForURL(/\/settings/);
    await expectNoSidewaysScroll(page);
  });

  test('says that a page does not exist', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/no/such/page', { organisation });
    await page.getByRole('heading', { name: 'No such page' }).waitFor();
    await expectAccessible(page);
  });
});
