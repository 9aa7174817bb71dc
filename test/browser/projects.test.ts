import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';
import { newSampleOrganisation } from './support/sample-organisation.js';

const dashboard = startDashboard();

describe.skipIf(!hasChromium)('the projects', () => {
  test('come worst first, and say what was never looked at', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/projects', { organisation });
    const rows = page.getByRole('table', { name: 'Projects' }).getByRole('row');
    await rows.filter({ hasText: 'Web shop' }).waitFor();
    expect(await rows.nth(1).textContent()).toContain('Web shop');
    expect(await rows.filter({ hasText: 'Build tools' }).getByText('never').count()).toBe(4);
    await expectAccessible(page);
  });

  test('are searched and sorted in the address; back undoes it', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/projects', { organisation });
    await page.getByLabel('Sorted by').selectOption('name');
    await page.waitForURL(/sort=name/);
    await page.getByLabel('Part of the name').fill('shop');
    await page.waitForURL(/q=shop/);
    await page.getByRole('status').getByText('1 project', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('row', { name: /Web shop/ }).waitFor();
    expect(await page.getByLabel('Part of the name').inputValue()).toBe('shop');
    await page.getByLabel('Part of the name').fill('no such name');
    await page.getByText('No project has “no such name” in its name.').waitFor();
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has('sort'));
  });

  test('are opened by the keyboard', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/projects', { organisation });
    const shop = page.getByRole('link', { name: 'Web shop' });
    await shop.focus();
    await page.keyboard.press('j');
    expect(await page.locator(':focus').textContent()).toBe('Build tools');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/projects/${organisation.projectId}$`));
  });

  test('that cannot be loaded can be asked for again', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const mend = dashboard().inject(/GET \/api\/posture\/projects/, failing(500));
    const page = await dashboard().open('/projects', { organisation, expects: /50\d/ });
    await page.getByText('The projects could not be loaded.').waitFor();
    mend();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row', { name: /Web shop/ }).waitFor();
  });

  test('fit 380 pixels', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/projects', { organisation, width: 380 });
    await page.getByRole('link', { name: 'Web shop' }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
});
