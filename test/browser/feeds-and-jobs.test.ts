import { describe, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';
import { newSampleOrganisation } from './support/sample-organisation.js';

const dashboard = startDashboard();

describe.skipIf(!hasChromium)('feeds', () => {
  test('say which ecosystems are tracked and not covered, and what follows', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/feeds', { organisation, as: 'member' });
    await page.getByText(/^3 feeds with \d+ records are loaded\. You track packages of .*npm/).waitFor();
    await page.getByRole('row', { name: /^npm yes not covered Alerts may be missing/ }).waitFor();
    await page.getByRole('row', { name: /^kev known exploited vulnerabilities/ }).waitFor();
    await page.getByRole('button', { name: 'Copy the command that loads the feeds' }).waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 380, height: 800 });
    await expectNoSidewaysScroll(page);
  });

  test('say that they could not be asked', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const mend = dashboard().inject(/GET \/api\/intelligence\/feeds/, failing(500));
    const page = await dashboard().open('/feeds', { organisation, expects: /50\d/ });
    await page.getByRole('alert').waitFor();
    mend();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'Feeds' }).waitFor();
  });
});

describe.skipIf(!hasChromium)('jobs', () => {
  test('show scans of all projects: what waits first', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/jobs', { organisation });
    const scans = page.getByRole('table', { name: 'Scans' });
    await scans
      .getByRole('row')
      .nth(1)
      .getByText(/^Web shop: hosted, full/)
      .waitFor();
    await page.getByText('No large upload in the last 7 days.').waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 380, height: 800 });
    await expectNoSidewaysScroll(page);
  });

  test('a part that fails is named, and the others are shown', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    dashboard().inject(/GET \/api\/sast\/scan-jobs/, failing(500));
    const page = await dashboard().open('/jobs', { organisation, expects: /50\d/ });
    await page.getByText('Scans of code are missing.').waitFor();
    await page
      .getByRole('cell', { name: /ZAP, baseline/ })
      .first()
      .waitFor();
    await expectAccessible(page);
  });
});
