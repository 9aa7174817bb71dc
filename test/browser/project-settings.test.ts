import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';
import { newSampleOrganisation } from './support/sample-organisation.js';

const dashboard = startDashboard();

async function openSettings(expects?: RegExp, width = 1440) {
  const organisation = await newSampleOrganisation(dashboard().service);
  const at = `/projects/${organisation.projectId}/settings`;
  const page = await dashboard().open(at, { organisation, width, ...(expects && { expects }) });
  await page.getByLabel('Name').waitFor();
  return { organisation, page };
}

describe.skipIf(!hasChromium)('the settings of a project', () => {
  test('are saved, and shown around the page at once', async () => {
    const { page } = await openSettings();
    await expectAccessible(page);
    await page.getByLabel('Name').fill('Shop of the world');
    await page.getByRole('radio', { name: /^isolated/i }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The project was saved').waitFor();
    await page.getByText('exposure: isolated').waitFor();
    await page.reload();
    expect(await page.getByLabel('Name').inputValue()).toBe('Shop of the world');
    expect(await page.getByRole('radio', { name: /^isolated/i }).isChecked()).toBe(true);
  });

  test('say what somebody else has saved meanwhile, and keep what was typed', async () => {
    const { organisation, page } = await openSettings(/409/);
    await page.getByLabel('Name').fill('Mine');
    const { service } = dashboard();
    const path = `/api/projects/${organisation.projectId}`;
    const { body } = await service.call(organisation.writeKey, 'PATCH', path, {
      repo: 'https://git.example.com/theirs',
    });
    expect(body).toMatchObject({ repo: 'https://git.example.com/theirs' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const notice = page.getByRole('alert');
    await notice.getByText('repository: https://git.example.com/theirs').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Mine');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The project was saved').waitFor();
    // What the other changed has stayed.
    const saved = await service.call(organisation.readKey, 'GET', path);
    expect(saved.body).toMatchObject({ name: 'Mine', repo: 'https://git.example.com/theirs' });
  });

  test('say that a name is taken', async () => {
    const { page } = await openSettings(/409/);
    await page.getByLabel('Name').fill('Build tools');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText(/name/i).first().waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Build tools');
  });

  test('can begin again with what somebody else has saved', async () => {
    const { organisation, page } = await openSettings(/409/);
    await page.getByLabel('Name').fill('Mine');
    const path = `/api/projects/${organisation.projectId}`;
    await dashboard().service.call(organisation.writeKey, 'PATCH', path, { name: 'Theirs' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Take theirs' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Theirs');
  });

  test('that could not be saved are said not to be, and stay typed', async () => {
    const { page } = await openSettings(/50\d/);
    const mend = dashboard().inject(/PATCH \/api\/projects/, failing(500));
    await page.getByLabel('Name').fill('Shop 2');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Shop 2');
    mend();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The project was saved').waitFor();
  });

  test('delete the project after its name was typed', async () => {
    const { page } = await openSettings(undefined, 380);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Delete project' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete Web shop?' });
    const confirm = dialog.getByRole('button', { name: 'Delete project' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type Web shop to confirm').fill('Web sho');
    expect(await confirm.isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByLabel('Type Web shop to confirm').fill('Web shop');
    await confirm.click();
    await page.waitForURL(/\/projects$/);
    await page.getByText('Web shop was deleted').waitFor();
    await page.getByRole('link', { name: 'Build tools' }).waitFor();
    expect(await page.getByRole('link', { name: 'Web shop' }).count()).toBe(0);
  });
});
