import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { type Dashboard, startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';
import { newSampleOrganisation } from './support/sample-organisation.js';

const dashboard = startDashboard();

type Opening = Omit<Parameters<Dashboard['open']>[1], 'organisation'>;

async function openPackages(rest = '', { plan, ...opening }: Opening & { readonly plan?: 'Free' } = {}): Promise<Page> {
  const organisation = await newSampleOrganisation(dashboard().service, plan);
  return dashboard().open(`/projects/${organisation.projectId}/packages${rest}`, { organisation, ...opening });
}

describe.skipIf(!hasChromium)('packages', () => {
  test('are found by what is typed, and lead to their alerts', async () => {
    const page = await openPackages('', { as: 'member' });
    await page.getByText(/^\d+ packages are tracked; \d+ of them have/).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('lodash');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=lodash/);
    await page
      .getByRole('link', { name: /^Open alerts of lodash: / })
      .first()
      .click();
    await page.waitForURL(/\/alerts\?package=lodash/);
    await page.goBack();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('lodash');
    await expectAccessible(page);
  });

  test('say how they come into the project, and which neighbours have alerts', async () => {
    const page = await openPackages('?at_risk=true');
    await page.locator('a[data-row-link]').first().click();
    const detail = page.getByRole('complementary');
    await detail.getByRole('heading', { name: 'How it comes into the project' }).waitFor();
    await detail.getByRole('heading', { name: 'Needed by' }).waitFor();
    await detail.getByText('Package URL').waitFor();
    await expectAccessible(page);
  });

  test('one is added, changed and removed', async () => {
    const page = await openPackages('', { as: 'member', expects: /400/ });
    await page.getByRole('button', { name: 'Add a package' }).click();
    await page.getByRole('dialog').getByLabel('Ecosystem').selectOption('PyPI');
    await page.getByRole('dialog').getByLabel('Name').fill('requests');
    await page.getByLabel('Version').fill('not a version');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText(/Is a version of at most 256 characters, no spaces/).waitFor();
    await page.getByLabel('Version').fill('2.31.0');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    // The dialog, which has a name too, is open until the service has answered.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Name' }).fill('requests');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'requests', exact: true }).click();
    const detail = page.getByRole('complementary');
    await detail.getByText('added by hand', { exact: true }).waitFor();

    await detail.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Version').fill('2.32.0');
    await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click();
    await detail.getByRole('heading', { name: 'requests 2.32.0' }).waitFor();

    await detail.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('requests is not tracked any more. Its alerts are resolved.').first().waitFor();
    await detail.waitFor({ state: 'detached' });
  });

  test('of poor health say why, in the words of their source', async () => {
    const page = await openPackages('?view=at-risk');
    await page.getByText(/^Deprecated\. Its maintainers: “request has been deprecated/).waitFor();
    await expectAccessible(page);
  });

  test('exports are explained where the plan has none, and the rest works', async () => {
    const page = await openPackages('?view=export', { plan: 'Free' });
    await page.getByText('Exports need an Enterprise subscription.').waitFor();
    expect(await page.getByRole('link', { name: /^Download/ }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.locator('a[data-row-link]').first().waitFor();
  });

  test('exports are links to documents on Enterprise', async () => {
    const page = await openPackages('?view=export');
    const href = await page.getByRole('link', { name: 'Download CycloneDX 1.6 with VEX' }).getAttribute('href');
    expect(href).toMatch(/^\/trpc\/document\/intelligence\.getSbomDocument\?project_id=prj_\w+&vex=true$/);
  });

  test('say what failed, and come when it is over', async () => {
    const mend = dashboard().inject(/GET \/api\/projects\/[^/]+\/tech-stack\?.*page_size=100/, failing(500));
    const page = await openPackages('', { expects: /50\d/ });
    await page.getByRole('alert').waitFor();
    mend();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('a[data-row-link]').first().waitFor();
  });

  test('fit a narrow screen', async () => {
    const page = await openPackages('', { width: 380 });
    await page.locator('a[data-row-link]').first().waitFor();
    await expectNoSidewaysScroll(page);
    await page.locator('a[data-row-link]').first().click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Package URL').waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
});
