import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { auditActions } from '../../src/procedures/audit-actions.js';
import { actionWords } from '../../src/web/pages/audit-log/action-words.js';
import { newOrganisationWithProject } from '../service/projects/new-project.js';
import { textAt } from '../support/at.js';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';

const dashboard = startDashboard();

/** An organisation whose admin has renamed its project. */
async function renamedProject() {
  const { service } = dashboard();
  const { organisation, projectId } = await newOrganisationWithProject(service);
  const path = `/api/projects/${projectId}`;
  await service.call(organisation.admin.session, 'PATCH', path, { name: 'Web shop', exposure: 'internet' });
  return organisation;
}

describe.skipIf(!hasChromium)('the audit log', () => {
  test('says who changed what, from what to what, from where', async () => {
    const organisation = await renamedProject();
    const page = await dashboard().open('/settings/audit-log', { organisation });
    const row = page.getByRole('row', { name: /changed a project/ });
    expect(await row.textContent()).toMatch(/exposure: unknown → internet/);
    await row.getByRole('link', { name: 'changed a project' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('row', { name: 'exposure unknown internet' }).waitFor();
    await dialog.getByText('127.0.0.1').waitFor();
    await dialog.getByText('project.update').waitFor();
    await dialog.getByText('Session', { exact: true }).waitFor();
    await dialog.getByText('node', { exact: true }).waitFor();
    await expectAccessible(page);
    // The address opens the same entry.
    await page.reload();
    await dialog.getByText('project.update').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(page.url()).not.toMatch(/entry=/);
  });

  test('is filtered by the address: back, reload and a bad link work', async () => {
    const organisation = await renamedProject();
    const page = await dashboard().open('/settings/audit-log?since=yesterday&nonsense=1', { organisation });
    const table = page.getByRole('table', { name: 'Audit log' });
    await table.getByText('made a project').waitFor();
    await page.getByLabel('What').selectOption({ label: 'changed a project' });
    await page.waitForURL(/action=project.update/);
    await page.getByText('1 entry matches these filters').waitFor();
    await page.reload();
    await page.getByText('1 entry matches these filters').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Until').fill('2020-01-01');
    await page.getByText('No entry matches.', { exact: true }).waitFor();
    await page.goBack();
    await page.getByText('1 entry matches these filters').waitFor();
    await page.getByRole('button', { name: 'Remove the filter What' }).click();
    await table.getByText('made a project').waitFor();
    await page.getByRole('textbox', { name: 'Who' }).fill(organisation.admin.email);
    await page.keyboard.press('Enter');
    await table.getByText('made a project').waitFor({ state: 'detached' });
    await table.getByText('changed a project').waitFor();
  });

  test('is exported by an admin, all of it or some days; others are offered no export', async () => {
    const organisation = await renamedProject();
    const page = await dashboard().open('/settings/audit-log', { organisation });
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export all' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('audit-log.jsonl');
    const lines = (await text(await download.createReadStream())).split('\n').slice(0, -1);
    const actions = lines.map((line) => textAt(JSON.parse(line), 'action'));
    expect(actions).toEqual(expect.arrayContaining(['project.create', 'project.update']));
    expect(actions.at(-1)).toBe('audit.export');
    await page.getByLabel('Until').fill('2020-01-01');
    await page.getByRole('link', { name: 'Export these days' }).waitFor();
    const member = await dashboard().open('/settings/audit-log', { organisation, as: 'member' });
    await member.getByRole('link', { name: 'made a project' }).waitFor();
    expect(await member.getByRole('link', { name: /Export/ }).count()).toBe(0);
  });

  test('has words for every action of the log', () => {
    expect(Object.keys(actionWords)).toEqual([...auditActions]);
  });

  test('says that nobody has the name that was looked for', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/settings/audit-log?actor=nobody', {
      organisation,
      as: 'member',
      width: 380,
      expects: /400/,
    });
    await page.getByText(/is no id, name or e-mail of a member or key/).waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
});
