import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';
import { newSampleOrganisation } from './support/sample-organisation.js';

const dashboard = startDashboard();
const injection = /A database query is put together from user input/;

describe.skipIf(!hasChromium)('findings in code', () => {
  test('begin with the answer and its coverage, the worst first', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/code', { organisation, as: 'member' });
    await page.getByText('5 findings are open: 1 red, 3 yellow, 1 green.').waitFor();
    await page.getByText('Not everything was looked at: 1 of 2 projects have no code scan').waitFor();
    const first = page.getByRole('table', { name: 'Findings: Code' }).getByRole('row').nth(1);
    expect(await first.textContent()).toMatch(injection);
    expect(await first.textContent()).toContain('src/search/find-products.ts:41');
    await expectAccessible(page);
  });

  test('are filtered in the address, so that reload and back keep what was asked', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open(`/projects/${organisation.projectId}/code`, { organisation });
    await page.getByLabel('Severity').selectOption('Medium');
    await page.getByRole('status').getByText('3 findings').waitFor();
    expect(page.url()).toContain('severity=medium');
    await page.reload();
    await page.getByRole('status').getByText('3 findings').waitFor();
    await page.getByLabel('State').selectOption('fixed');
    await page.getByText('No finding passes these filters.').waitFor();
    await page.goBack();
    await page.getByRole('status').getByText('3 findings').waitFor();
    await page.getByRole('button', { name: 'Remove the filter Severity' }).click();
    await page.getByRole('status').getByText('5 findings').waitFor();
  });

  test('a bad link shows the whole list', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/code?severity=terrible&state=7', { organisation });
    await page.getByRole('status').getByText('5 findings').waitFor();
  });

  test('open beside the list by the keyboard alone, and give the focus back', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/code', { organisation });
    const row = page.getByRole('link', { name: injection });
    await row.focus();
    await page.keyboard.press('Enter');
    const detail = page.getByRole('complementary');
    await detail.getByRole('heading', { level: 2, name: injection }).waitFor();
    await detail.getByRole('link', { name: 'CWE-89' }).waitFor();
    await detail.getByRole('table', { name: 'Scans' }).getByRole('row').nth(2).waitFor();
    await expectAccessible(page);
    await detail.getByRole('link', { name: 'Close, back to the list' }).focus();
    await page.keyboard.press('Enter');
    await detail.waitFor({ state: 'detached' });
    await page.locator('a:focus', { hasText: injection }).waitFor();
  });

  test('are a page of their own where the screen is narrow', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/code', { organisation, width: 380 });
    await page.getByRole('link', { name: injection }).click();
    await page.getByRole('heading', { level: 1, name: injection }).waitFor();
    await page
      .getByText('first seen', { exact: false })
      .or(page.getByText(/^first /))
      .first()
      .waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Close, back to the list' }).click();
    await page.getByRole('heading', { level: 1, name: 'Code' }).waitFor();
    await expectNoSidewaysScroll(page);
  });

  test('that do not exist are said not to', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open(`/code/${organisation.projectId}/fnd_nothing`, {
      organisation,
      expects: /404/,
    });
    await page.getByRole('complementary').getByRole('alert').getByText('Not found').first().waitFor();
    await expectAccessible(page);
  });

  test('say what failed, and come when it is over; the summary stands by itself', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const mend = dashboard().inject(/GET \/api\/sast\/findings/, failing(500));
    const page = await dashboard().open('/code', { organisation, expects: /50\d/ });
    await page.getByRole('alert').waitFor();
    await page.getByText('5 findings are open').waitFor();
    await expectAccessible(page);
    mend();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: injection }).waitFor();
  });

  test('none says what was searched, and how a first report comes', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/code', { organisation });
    await page.getByText('No open finding.').waitFor();
    await page.getByText('This does not mean safe').first().waitFor();
    await page.getByText(' reach upload sarif', { exact: false }).waitFor();
    await expectAccessible(page);
  });
});
