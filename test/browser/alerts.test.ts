import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';
import { newSampleOrganisation, type SampleOrganisation } from './support/sample-organisation.js';

const dashboard = startDashboard();

const row = (page: Page, name: RegExp) => page.getByRole('row', { name });
const lodash = /CVE-2019-10744/;
const detail = (page: Page) => page.getByRole('complementary');

/** The list of the sample's shop, with its rows. */
async function openList(organisation: SampleOrganisation, query = '', opening = {}): Promise<Page> {
  const page = await dashboard().open(`/projects/${organisation.projectId}/alerts${query}`, {
    organisation,
    ...opening,
  });
  await page.getByRole('row').nth(1).waitFor();
  return page;
}

async function openAlert(page: Page, name: RegExp): Promise<void> {
  await row(page, name).getByRole('link').click();
  await detail(page).getByRole('heading', { name: 'Fix' }).waitFor();
}

describe.skipIf(!hasChromium)('the list of alerts', () => {
  test('shows what is worst first, with the specification’s words, and is accessible', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await openList(organisation);
    const first = page.getByRole('row').nth(1);
    expect(await first.innerText()).toMatch(/CVE-2021-44228[\s\S]*Known exploited[\s\S]*100\.0/);
    const text = await row(page, lodash).innerText();
    expect(text).toMatch(
      /lodash[\s\S]*4\.17\.11[\s\S]*Likely exploitable[\s\S]*73\.1[\s\S]*called[\s\S]*merge-cart\.ts:2/,
    );
    await page.getByText(/27 alerts are unresolved: 3 are known to be exploited/).waitFor();
    await expectAccessible(page);
  });

  test('of all projects names each row’s project, and fits 380 px', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/alerts', { organisation });
    await row(page, lodash).getByText('Web shop').waitFor();
    await page.setViewportSize({ width: 380, height: 800 });
    await row(page, lodash).waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

  test('is filtered in the address: reload and back show the same', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await openList(organisation);
    await page.getByLabel('Verdict').selectOption({ label: 'Known exploited' });
    await page
      .getByRole('status')
      .filter({ hasText: /^3 alerts$/ })
      .waitFor();
    expect(page.url()).toContain('band=known_exploited');
    await page.reload();
    await page
      .getByRole('status')
      .filter({ hasText: /^3 alerts$/ })
      .waitFor();
    await page.goBack();
    await page
      .getByRole('status')
      .filter({ hasText: /^27 alerts$/ })
      .waitFor();
  });

  test('is filtered by what is typed: an id of a vulnerability, or a part of a package’s name', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await openList(organisation);
    const field = page.getByRole('textbox', { name: 'Package or CVE' });
    await field.fill('lodas');
    await field.press('Enter');
    await page
      .getByRole('status')
      .filter({ hasText: /^4 alerts$/ })
      .waitFor();
    expect(page.url()).toContain('package=lodas');
    await field.fill('cve-2019-10744');
    await field.press('Enter');
    await page
      .getByRole('status')
      .filter({ hasText: /^1 alert$/ })
      .waitFor();
    expect(page.url()).toContain('cve=CVE-2019-10744');
    expect(page.url()).not.toContain('package=');
  });

  test('says of none what was looked at, and drops its filters', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open(`/alerts?status=open&tier=GREEN&band=known_exploited`, { organisation });
    await page.getByText('No alert passes these filters.').waitFor();
    await page.getByText('What was looked at').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove all filters' }).click();
    await row(page, lodash).waitFor();
  });

  test('is moved through, opened, closed and acknowledged by keys alone', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await openList(organisation);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await detail(page)
      .getByRole('heading', { level: 2, name: /lodash defaultsDeep/ })
      .waitFor();
    await page.waitForFunction("document.activeElement.matches('aside h2')");
    await page.keyboard.press('Escape');
    await detail(page).waitFor({ state: 'detached' });
    await page.waitForFunction("document.activeElement.textContent === 'CVE-2019-10744'");
    await page.keyboard.press('a');
    await row(page, lodash).getByText('acknowledged').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await expectAccessible(page);
  });

  test('acknowledges in bulk with a note, and undoes it', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await openList(organisation);
    await row(page, lodash).getByRole('checkbox').check();
    await row(page, /CVE-2020-8203/)
      .getByRole('checkbox')
      .check();
    await page.getByRole('region', { name: 'Selected alerts' }).getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByLabel('Note (optional)').fill('With the next upgrade');
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('2 alerts acknowledged').waitFor();
    await openAlert(page, lodash);
    await detail(page).getByText('With the next upgrade').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 alerts open again').waitFor();
    await detail(page).getByText('Open since').waitFor();
  });

  test('shows rows as they were when acknowledging fails, and says so', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await openList(organisation, '', { expects: /50\d/ });
    dashboard().inject(/POST .*\/alerts\/acknowledge/, failing(503));
    await row(page, lodash).getByRole('link').focus();
    await page.keyboard.press('a');
    await page.getByRole('region', { name: 'Notifications' }).getByText('1 alert is not acknowledged').waitFor();
    await row(page, lodash).getByText('acknowledged').waitFor({ state: 'detached' });
  });

  test('says when it cannot be loaded, and tries again', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const mend = dashboard().inject(/GET .*\/alerts\?/, failing(503));
    onTestFinished(mend);
    const page = await dashboard().open('/alerts', { organisation, expects: /50\d/ });
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
    mend();
    await page.getByRole('button', { name: 'Try again' }).click();
    await row(page, lodash).waitFor();
  });
});

describe.skipIf(!hasChromium)('an alert', () => {
  test('shows its evidence and its score with numbers, and is accessible beside the list and alone', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await openList(organisation);
    await openAlert(page, lodash);
    await detail(page).getByText('73.1 risk × 1.00 called × 1.00 internet').waitFor();
    await detail(page).getByText('src/cart/merge-cart.ts:2').last().waitFor();
    await detail(page).getByText('Privileges: none').waitFor();
    await detail(page).getByText('not in the catalogue of').waitFor();
    await detail(page).getByText('Machine verdict unanalyzed became likely exploitable').waitFor();
    // No feed is loaded beside the sample: what is called safe by its own advisories may not be.
    await detail(page).getByText('no version of lodash is called safe by them').waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 380, height: 800 });
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).getByRole('button').waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByRole('heading', { level: 1 }).getByRole('button').click();
    await row(page, lodash).waitFor();
  });

  test('is overruled with a reason alone, shows the machine beside it, and is cleared', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await openList(organisation, '', { as: 'member', expects: /400/ });
    await openAlert(page, lodash);
    await detail(page).getByRole('button', { name: 'Override' }).click();
    const dialog = page.getByRole('dialog', { name: 'Override the verdict' });
    await dialog.getByRole('button', { name: 'Override' }).click();
    await dialog.getByText(/not be blank/i).waitFor();
    expect(await dialog.getByLabel('Reason').getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);
    await dialog.getByLabel('Reason').fill('The input never reaches it');
    await dialog.getByLabel('Ends after (optional)').fill('2999-12-24');
    await dialog.getByRole('button', { name: 'Override' }).click();
    await detail(page).getByText('The input never reaches it').first().waitFor();
    await detail(page).getByText('Likely not exploitable').waitFor();
    await detail(page).getByText('Likely exploitable', { exact: true }).waitFor();
    await detail(page).getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Clear override' }).click();
    await detail(page).getByText('none: the machine’s verdict counts').waitFor();
    await row(page, lodash).getByText('Likely exploitable').waitFor();
  });

  test('that two people overrule explains the conflict, and keeps what was typed', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await openList(organisation, '', { expects: /409|412/ });
    await openAlert(page, lodash);
    await detail(page).getByRole('button', { name: 'Override' }).click();
    await page.getByLabel('Reason').fill('Mine');
    const other = await dashboard().openTab(page, page.url());
    await detail(other).getByRole('button', { name: 'Override' }).click();
    await other.getByLabel('Reason').fill('Theirs');
    await other.getByRole('dialog').getByRole('button', { name: 'Override' }).click();
    await detail(other).getByText('Theirs').first().waitFor();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Override' }).click();
    await dialog.getByText('Somebody changed this verdict').waitFor();
    await dialog.getByRole('button', { name: 'Load the present verdict' }).click();
    await dialog.getByText(/Now it is not exploitable/).waitFor();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Mine');
    await dialog.getByRole('button', { name: 'Override' }).click();
    await detail(page).getByText('Mine').first().waitFor();
  });

  test('explains on the Free plan what is not in it, and shows the rest', async () => {
    const organisation = await newSampleOrganisation(dashboard().service, 'Free');
    const page = await openList(organisation);
    await openAlert(page, lodash);
    await detail(page).getByText('Verdicts are not in your plan.').waitFor();
    await detail(page).getByText('Privileges: none').waitFor();
    expect(await detail(page).getByRole('button', { name: 'Override' }).count()).toBe(0);
    await expectAccessible(page);
  });

  test('of a project without a usage report says that nothing is analyzed, and what would help', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/alerts?band=unanalyzed', { organisation });
    await page.getByRole('row').nth(1).getByRole('link').click();
    await detail(page).getByRole('link', { name: 'Upload a usage report' }).waitFor();
  });

  test('that does not exist says so, and can be closed', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await openList(organisation, '', { expects: /404/ });
    await page.goto(`/projects/${organisation.projectId}/alerts/nothing`);
    await detail(page).getByRole('alert').getByText('Not found', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Close the alert' }).click();
    await detail(page).waitFor({ state: 'detached' });
  });

  test('whose verdict cannot be loaded shows the rest', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await openList(organisation, '', { expects: /50\d/ });
    dashboard().inject(/GET .*\/reachability\/verdicts\//, failing(503));
    await openAlert(page, lodash);
    await detail(page).getByRole('alert').waitFor();
    await detail(page).getByRole('heading', { name: 'History' }).waitFor();
  });
});
