import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import type { Fault } from './support/faults.js';
import { newSampleOrganisation } from './support/sample-organisation.js';

const dashboard = startDashboard();

/** The service while it brings verdicts up to date, which is over too fast to be seen otherwise. */
const pending: Fault = (res) => {
  res.writeHead(200, { 'content-type': 'application/json' });
  res.end(JSON.stringify({ pending: true, alerts: 40, judged: 12 }));
};

describe.skipIf(!hasChromium)('a project', () => {
  test('has its name in the title, and the posture of itself alone', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open(`/projects/${organisation.projectId}`, { organisation });
    await page.getByText(/^\d+ red in Web shop, \d+ known exploited/).waitFor();
    expect(await page.title()).toBe('Overview · Web shop · Postern');
    const risk = page.getByRole('list', { name: 'Top risks' }).getByRole('link').first();
    expect(await risk.getAttribute('href')).toMatch(`/projects/${organisation.projectId}/alerts/alr_`);
    await page.getByRole('slider').waitFor();
    await expectAccessible(page);
    await page
      .getByRole('navigation', { name: 'Parts of the project' })
      .getByRole('link', { name: 'Settings' })
      .click();
    await page.waitForURL(/\/settings$/);
    await expect.poll(() => page.title(), { timeout: 300_000 }).toBe('Settings · Web shop · Postern');
  });

  test('names what is not known of it, and how that becomes known', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/projects', { organisation });
    await page.getByRole('link', { name: 'Build tools' }).click();
    await page
      .getByText(/^Not known yet: how packages are used, its code, the running app,? and its images\./)
      .waitFor();
    await page.getByRole('link', { name: 'How to know more' }).click();
    await page.getByText(/^npx --yes --package \S+\/download\/postern\.tgz reach analyze \. --project prj_/).waitFor();
    const domains = page.getByRole('region', { name: 'Open findings by domain' });
    expect(await domains.getByText('Never looked at.').count()).toBe(3);
    await expectAccessible(page);
  });

  test('shows how far its verdicts are', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const mend = dashboard().inject(/GET \/api\/projects\/[^/]+\/reachability\/progress/, pending);
    const page = await dashboard().open(`/projects/${organisation.projectId}`, { organisation });
    const progress = page.getByRole('progressbar', { name: /12 of 40 alerts are judged/ });
    await progress.waitFor();
    mend();
    await progress.waitFor({ state: 'detached' });
  });

  test('that does not exist is said not to', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/projects/prj_none/alerts', { organisation, expects: /404|207/ });
    await page.getByRole('alert').getByText('Not found', { exact: true }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'All projects' }).click();
    await page.waitForURL(/\/projects$/);
  });

  test('fits 380 pixels', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open(`/projects/${organisation.projectId}`, { organisation, width: 380 });
    await page.getByRole('slider').waitFor();
    await expectNoSidewaysScroll(page);
  });
});
