import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newOrganisationWithProject } from '../service/projects/new-project.js';
import { textAt } from '../support/at.js';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';
import { callTool } from './support/mcp.js';

const dashboard = startDashboard();

/** Makes a key by the dialog; the dialog stays open and shows it. */
async function makeKey(
  page: Page,
  name: string,
  fill: (dialog: ReturnType<Page['getByRole']>) => Promise<void> = async () => {},
) {
  await page.getByRole('button', { name: 'New API key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await fill(dialog);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  return (await dialog.locator('pre', { hasText: /^postern_live_/ }).textContent()) ?? '';
}

describe.skipIf(!hasChromium)('the API Keys panel', () => {
  test('makes a key that is shown once, opens /mcp, and is refused after it was revoked', async () => {
    const { organisation } = await newOrganisationWithProject(dashboard().service);
    const page = await dashboard().open('/settings/api-keys', { organisation });
    const key = await makeKey(page, 'Claude Code');
    expect(key).toMatch(/^postern_live_[0-9a-f]{64}$/);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Copy the API key' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    const answer = await callTool(dashboard().url, key, 'get_org');
    expect(textAt(answer.body, 'result.structuredContent.id')).toBe(organisation.id);
    const written = await callTool(dashboard().url, key, 'create_project', { name: 'by an agent' });
    expect(textAt(written.body, 'result.content.0.text')).toBe('this API key is read-only or lacks permission');

    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(key);
    const row = page.getByRole('row', { name: /Claude Code/ });
    await row.getByText('ReadOnly').waitFor();
    expect(await row.textContent()).toContain(key.slice(-4));

    await row.getByRole('button', { name: 'Revoke Claude Code' }).click();
    await expectAccessible(page);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('1 key revoked or expired').click();
    await page.getByRole('table', { name: 'Revoked and expired API keys' }).getByText('Claude Code').waitFor();
    const refused = await callTool(dashboard().url, key, 'get_org');
    expect(textAt(refused.body, 'result.content.0.text')).toBe('authentication failed');
  });

  test('makes a key for one project, with an end', async () => {
    const { organisation, projectId } = await newOrganisationWithProject(dashboard().service);
    const page = await dashboard().open('/settings/api-keys', { organisation });
    const key = await makeKey(page, 'pipeline', async (dialog) => {
      await dialog.getByRole('radio', { name: 'ReadWrite' }).check();
      await dialog.getByLabel('Expires after').selectOption('30 days');
      await dialog.getByRole('radio', { name: 'Some projects' }).check();
      await dialog.getByRole('checkbox', { name: /^project / }).check();
    });
    const other = await dashboard().service.call(organisation.writeKey, 'POST', '/api/projects', { name: 'other' });
    const get = (id: string) => callTool(dashboard().url, key, 'get_project', { project_id: id });
    expect(textAt((await get(projectId)).body, 'result.structuredContent.id')).toBe(projectId);
    expect(textAt((await get(textAt(other.body, 'id'))).body, 'result.content.0.text')).toMatch(/not found/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const row = page.getByRole('row', { name: /pipeline/ });
    expect(await row.textContent()).toMatch(/ReadWrite/);
    expect(await row.textContent()).toMatch(/in 4 wk|in 29 days/);
  });

  test('says at the field what is wrong, and keeps what was typed', async () => {
    const { organisation } = await newOrganisationWithProject(dashboard().service);
    const page = await dashboard().open('/settings/api-keys', { organisation, expects: /400/ });
    await page.getByRole('button', { name: 'New API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('  ');
    await dialog.getByRole('radio', { name: 'Some projects' }).check();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Must not be blank.').waitFor();
    await dialog.getByRole('group', { name: 'Projects' }).getByText('Needs at least one.').waitFor();
    expect(await dialog.getByRole('radio', { name: 'Some projects' }).isChecked()).toBe(true);
    await expectAccessible(page);
    await dialog.getByLabel('Name').fill('agent');
    await dialog.getByRole('radio', { name: 'All projects' }).check();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('button', { name: 'I have stored it' }).waitFor();
  });

  test('tells a member who is no admin whom to ask, and asks the service for no key', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/settings/api-keys', { organisation, as: 'member' });
    await page.getByText(organisation.admin.email).waitFor();
    expect(await page.getByRole('button', { name: 'New API key' }).count()).toBe(0);
    await expectAccessible(page);
  });

  test('says that the service has trouble, and shows the keys when that is over', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const mend = dashboard().inject(/GET \/api\/org\/api-keys/, failing(500));
    const page = await dashboard().open('/settings/api-keys', { organisation, expects: /50\d/ });
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
    mend();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row', { name: /ReadWrite key/ }).waitFor();
  });

  test('fits 380 pixels', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/settings/api-keys', { organisation, width: 380 });
    await page.getByText('2 keys are active').waitFor();
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await expectNoSidewaysScroll(page);
  });
});
