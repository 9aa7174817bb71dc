import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';
import { newSampleOrganisation } from './support/sample-organisation.js';

const dashboard = startDashboard();

describe.skipIf(!hasChromium)('the posture', () => {
  test('opens with the answer, and shows every part of the evidence', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/', { organisation });
    await page.getByText(/^\d+ red in Web shop, \d+ known exploited/).waitFor();
    for (const name of ['Dependencies', 'Code', 'Running app', 'Images']) {
      await page.getByRole('heading', { level: 3, name, exact: true }).waitFor();
    }
    await page.getByRole('list', { name: 'Top risks' }).getByRole('listitem').first().waitFor();
    await page.getByRole('slider', { name: /Open findings by day/ }).waitFor();
    await page.getByRole('region', { name: 'Coverage' }).getByText('Affected.').waitFor();
    await expectAccessible(page);
  });

  test('leads from a band to its alerts, and from a risk to its page', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/', { organisation });
    const bands = page.getByRole('table', { name: /open alerts by verdict/ });
    const known = await bands.getByRole('link', { name: /Known exploited/ }).getAttribute('href');
    expect(known).toBe('/alerts?band=known_exploited');
    const first = page.getByRole('list', { name: 'Top risks' }).getByRole('link').first();
    expect(await first.textContent()).toContain('Log4Shell');
    await first.click();
    await page.waitForURL(new RegExp(`/alerts/${organisation.projectId}/alr_`));
  });

  test('draws the trend of the days in the address, with the same numbers in a table', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/', { organisation });
    const windows = page.getByRole('navigation', { name: 'Days of the trend' });
    await windows.getByRole('link', { name: '30 days' }).click();
    await page.waitForURL(/\?days=30$/);
    await page.reload();
    await page.getByRole('heading', { name: 'What changed in 30 days' }).waitFor();
    expect(await windows.locator('[aria-current]').allTextContents()).toEqual(['30 days']);
    await page.getByText('The same as a table (31 days, UTC)').click();
    const rows = page.getByRole('region', { name: 'Open findings by day' }).getByRole('row');
    expect(await rows.count()).toBe(32);
    await expectAccessible(page);
    await windows.getByRole('link', { name: '7 days' }).click();
    await page.getByRole('heading', { name: 'What changed in 7 days' }).waitFor();
    expect(page.url()).not.toContain('days=');
  });

  test('draws the trend of one domain', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/', { organisation });
    const slider = page.getByRole('slider', { name: /Open findings by day/ });
    const all = await slider.getAttribute('aria-valuetext');
    await page.getByRole('region', { name: 'Trend' }).getByLabel('Domain').selectOption('Images');
    await page.waitForURL(/domain=containers/);
    await expect.poll(() => slider.getAttribute('aria-valuetext'), { timeout: 300_000 }).not.toBe(all);
  });

  test('says the values of a day to the keyboard', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/?days=30', { organisation });
    const slider = page.getByRole('slider', { name: /Open findings by day/ });
    const today = await slider.getAttribute('aria-valuetext');
    expect(today).toMatch(/\d+ red, \d+ yellow, \d+ green open; \d+ new, \d+ resolved/);
    await slider.focus();
    await page.keyboard.press('Home');
    const [value, text] = [await slider.getAttribute('aria-valuenow'), await slider.getAttribute('aria-valuetext')];
    expect(value).toBe('0');
    expect(text).not.toBe(today);
    await page.keyboard.press('ArrowRight');
    expect(await slider.getAttribute('aria-valuenow')).toBe('1');
  });

  test('says where history does not reach back', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/?days=90', { organisation });
    await page.getByText(/^History begins on .* Before that nothing is known\.$/).waitFor();
  });

  test('ignores what is wrong in the address', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/?days=12&domain=nothing', { organisation });
    await page.getByRole('heading', { name: 'What changed in 7 days' }).waitFor();
  });

  test('draws a domain that does not answer as missing, and the others as they are', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const mend = dashboard().inject(/GET \/api\/posture\/containers\/summary/, failing(500));
    const page = await dashboard().open('/', { organisation });
    const domains = page.getByRole('region', { name: 'Open findings by domain' });
    await domains.getByRole('listitem').filter({ hasText: 'Images' }).getByText('Not known now.').waitFor();
    await domains.getByRole('listitem').filter({ hasText: 'Code' }).getByText('5 open').waitFor();
    const coverage = page.getByRole('region', { name: 'Coverage' });
    await coverage
      .getByText(/containers could not answer/)
      .first()
      .waitFor();
    await expectAccessible(page);
    mend();
  });

  test('offers to try a part again that failed; the others stay', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const mend = dashboard().inject(/GET \/api\/posture\/trend/, failing(500));
    const page = await dashboard().open('/', { organisation, expects: /50\d|207/ });
    const trend = page.getByRole('region', { name: 'Trend' });
    await trend.getByRole('alert').waitFor();
    await page.getByRole('list', { name: 'Top risks' }).waitFor();
    mend();
    await trend.getByRole('button', { name: 'Try again' }).click();
    await trend.getByRole('slider').waitFor();
  });

  test('explains on the Free plan that verdicts are not in it; the rest works', async () => {
    const organisation = await newSampleOrganisation(dashboard().service, 'Free');
    const page = await dashboard().open('/', { organisation });
    await page.getByText('Verdicts are not in your plan.').waitFor();
    await page.getByRole('list', { name: 'Top risks' }).getByRole('listitem').first().waitFor();
    await expectAccessible(page);
  });

  test('says of the sample that it is one, and fits 380 pixels', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/', { organisation, width: 380 });
    await page.getByText('These projects are a sample.').waitFor();
    await page.getByRole('list', { name: 'Top risks' }).waitFor();
    await page.getByRole('slider').waitFor();
    await expectNoSidewaysScroll(page);
  });
});
