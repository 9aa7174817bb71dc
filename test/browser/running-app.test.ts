import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';
import { newSampleOrganisation } from './support/sample-organisation.js';

const dashboard = startDashboard();

describe.skipIf(!hasChromium)('the running app', () => {
  test('shows a finding with its places, what to do, and its scans', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/running-app', { organisation, as: 'member' });
    await page.getByRole('link', { name: 'PII Disclosure' }).click();
    const detail = page.getByRole('complementary');
    await detail.getByRole('heading', { name: 'What to do' }).waitFor();
    await detail.getByText('GET https://shop.example.com/account/payment-methods').waitFor();
    await detail.getByRole('table', { name: 'Scans' }).getByRole('row').nth(2).waitFor();
    await expectAccessible(page);
  });

  test('targets are added, scanned and removed', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const path = `/projects/${organisation.projectId}/running-app?view=targets`;
    const page = await dashboard().open(path, { organisation, as: 'member', expects: /409/ });
    await page.getByRole('button', { name: 'Add a target' }).click();
    await page.getByLabel('Address').fill('https://shop.example.com/');
    await page.getByLabel('Name').fill('Twice');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    // The sample has it: what was typed stays.
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Twice');
    await expectAccessible(page);
    await page.getByLabel('Address').fill('https://stage.example.com/');
    await page.getByLabel('Name').fill('Stage');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('https://stage.example.com/', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Scan Stage' }).click();
    await page.getByRole('menuitem', { name: /^full/ }).click();
    await page.getByRole('cell', { name: /stage\.example\.com\/, full: no runner has claimed it yet/ }).waitFor();

    await page.getByRole('button', { name: 'Remove Stage' }).click();
    await page.getByRole('alertdialog', { name: 'Remove Stage?' }).waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    // The question hides the page behind it: what is gone with it is not what was removed.
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove Stage' }).waitFor({ state: 'detached' });
    await expectAccessible(page);
  });

  test('a target that cannot be removed stays, and the question says why', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const path = `/projects/${organisation.projectId}/running-app?view=targets`;
    const page = await dashboard().open(path, { organisation, expects: /50\d/ });
    await page.getByRole('button', { name: 'Remove Web shop' }).click();
    dashboard().inject(/DELETE \/api\/projects\/[^/]+\/dast\/targets/, failing(500));
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove Web shop' }).waitFor();
  });

  test('fits a narrow screen', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/running-app', { organisation, width: 380 });
    await page.getByRole('link', { name: 'PII Disclosure' }).waitFor();
    await expectNoSidewaysScroll(page);
    await page.getByRole('link', { name: 'Targets and hosted scans' }).click();
    await page.getByText('https://shop.example.com/', { exact: true }).waitFor();
    await expectNoSidewaysScroll(page);
  });
});
