import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';

const dashboard = startDashboard();

/** Makes a project as a person does, by the keyboard alone. */
async function createProject(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'New project' }).first().focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New project' });
  await dialog.getByLabel('Name').focus();
  await page.keyboard.type(name);
  await dialog.getByRole('radio', { name: /^internal/i }).focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('button', { name: 'Create project' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/projects\/prj_/);
  return /prj_[a-z0-9]+/.exec(page.url())?.[0] ?? '';
}

describe.skipIf(!hasChromium)('the way to the first project', () => {
  test('begins with nothing, and says that nothing was looked at', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/', { organisation, width: 380 });
    await page.getByText(/has no project yet, so nothing was looked at/).waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'New project' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    expect(await page.locator(':focus').textContent()).toContain('New project');
  });

  test('goes by a key made on the spot, and sees by itself what has come', async () => {
    const { service } = dashboard();
    const organisation = await service.newOrganisation({ plan: 'Enterprise' });
    const page = await dashboard().open('/', { organisation });
    const id = await createProject(page, 'Mobile API');
    await page.getByText('Nothing is known of Mobile API').waitFor();
    await page.getByText('exposure: internal').waitFor();
    await page.getByText(` reach sync . --project ${id}`).waitFor();
    await page.getByRole('button', { name: 'Make a key for this project' }).click();
    const settings = page.getByText(/^export SERVICE_API_URL=/);
    await page.getByText('The key is shown once').waitFor();
    const [, key = ''] = /SERVICE_API_KEY=(\S+)/.exec((await settings.textContent()) ?? '') ?? [];
    expect(await settings.textContent()).toContain(`SERVICE_API_URL=${dashboard().url}`);
    await expectAccessible(page);

    const packages = [{ ecosystem: 'npm', name: 'left-pad', version: '1.3.0' }];
    const path = `/api/projects/${id}/tech-stack/sync`;
    const { status } = await service.call(key, 'POST', path, { source: 'test', packages });
    expect(status).toBe(200);
    await page.getByText('1 of 5 have come.').waitFor();
    await page.getByText(/^Packages: came/).waitFor();
    // The key is still there for the next command.
    expect(await settings.textContent()).toContain(key);
    await page.getByText(/^Nothing red was found in Mobile API/).waitFor();
  });

  test('tells a member whom to ask for a key', async () => {
    const organisation = await dashboard().service.newOrganisation({ plan: 'Enterprise' });
    const page = await dashboard().open('/', { organisation, as: 'member' });
    await createProject(page, 'Shop');
    await page.getByText(/A key is made by an admin/).waitFor();
    expect(await page.getByRole('button', { name: /Make a key/ }).count()).toBe(0);
  });

  test('explains on the Free plan what it does not bring', async () => {
    const organisation = await dashboard().service.newOrganisation({ plan: 'Free' });
    const page = await dashboard().open('/projects', { organisation });
    await createProject(page, 'Shop');
    await page.getByText('How packages are used').click();
    await page.getByText('Verdicts need a Business or Enterprise subscription.').waitFor();
  });

  test('keeps what was typed where the service refuses it, and names the field', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/projects', { organisation, expects: /400/ });
    await page.getByRole('button', { name: 'New project' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New project' });
    await dialog.getByLabel('Name').fill('Shop');
    await dialog.getByLabel('Repository').fill('ssh://git.example.com/shop');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await dialog.getByText(/Must be an http or https address/).waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Shop');
    await dialog.getByLabel('Repository').fill('https://git.example.com/shop');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await page.waitForURL(/\/projects\/prj_/);
  });
});
