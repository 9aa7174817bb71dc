import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';
import { newSampleOrganisation } from './support/sample-organisation.js';

const dashboard = startDashboard();

describe.skipIf(!hasChromium)('the search box', () => {
  test('is reached by /, finds while one types, and goes to a result by arrows and Enter', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/alerts', { organisation });
    await page.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('web sh');
    await page
      .getByRole('option', { name: /Web shop/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/projects/${organisation.projectId}$`));
    expect(await page.getByRole('combobox', { name: /^Search/ }).inputValue()).toBe('');
  });

  test('shows everything by Enter, and is left by Escape', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/alerts', { organisation });
    const box = page.getByRole('combobox', { name: /^Search/ });
    await box.fill('lodash');
    await page.getByRole('option', { name: /lodash/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await box.fill('lodash');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?q=lodash/);
    await page.getByRole('region', { name: 'Packages' }).getByRole('link', { name: 'lodash' }).waitFor();
  });

  test('says what it looked through when it finds nothing, and when the search fails', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/alerts', { organisation, expects: /50\d/ });
    const box = page.getByRole('combobox', { name: /^Search/ });
    await box.fill('nothing has this name');
    await page.getByText('Nothing that is tracked or loaded').waitFor();
    dashboard().inject(/GET .*\/search\?/, failing(503));
    await box.fill('another');
    await page.getByRole('status').filter({ hasText: 'The service cannot be reached' }).waitFor();
  });
});

describe.skipIf(!hasChromium)('the search page', () => {
  test('answers whether we are exposed, with coverage', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/search?q=cve-2019-10744', { organisation });
    await page.getByText('Yes, affected: 2 places in 1 project.').waitFor();
    await page.getByText('What was looked at, and how fresh it is').click();
    await expectAccessible(page);
    await page
      .getByRole('row', { name: /Dependencies/ })
      .getByRole('link')
      .click();
    await page
      .getByRole('complementary')
      .getByRole('heading', { level: 2, name: /defaultsDeep/ })
      .waitFor();
  });

  test('never says a bare no: what is not known is unknown, with what was not looked at', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/search?q=CVE-2014-0160', { organisation });
    await page.getByText('Unknown: nothing open names it, but not everything was looked at.').waitFor();
    await page.getByText('This does not mean safe').waitFor();
  });

  test('checks a version of a package, in the ecosystem that tracks it or that is chosen', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/search?q=lodash@4.17.11', { organisation });
    await page.getByText('Yes, affected by 4 advisories.').waitFor();
    await expectAccessible(page);
    await page.goto('/search?q=unheard-of@1.0.0');
    await page.getByText('Choose the ecosystem').waitFor();
    await page.getByLabel('Ecosystem').selectOption('PyPI');
    await page.getByText('Unknown: no loaded advisory names this version').waitFor();
    expect(page.url()).toContain('ecosystem=PyPI');
  });

  test('shows all groups, fits 380 px, and says when it fails', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/search?q=shop', { organisation, expects: /50\d/, width: 380 });
    await page.getByRole('region', { name: 'Projects' }).getByRole('link', { name: 'Web shop' }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    dashboard().inject(/GET .*\/search\?/, failing(503));
    await page.goto('/search?q=else');
    await page.getByRole('alert').waitFor();
  });
});
