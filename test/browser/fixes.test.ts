import { describe, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';
import { newSampleOrganisation } from './support/sample-organisation.js';

const dashboard = startDashboard({ freshAdvisories: true });

describe.skipIf(!hasChromium)('fixes', () => {
  test('name what one upgrade closes, the version, and the proof', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open(`/projects/${organisation.projectId}/fixes`, { organisation, as: 'member' });
    await page.getByText(/^\d+ upgrades close \d+ of \d+ open alerts\./).waitFor();
    await page
      .getByText(/^Closes \d+ alert/)
      .first()
      .waitFor();
    await page.getByText('Closed by the plan').waitFor();
    await page.getByRole('button', { name: 'Copy the command that syncs' }).waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 380, height: 800 });
    await expectNoSidewaysScroll(page);
    await page.getByRole('link', { name: /log4j-core$/ }).click();
    await page.waitForURL(/\/alerts\?package=/);
  });

  test('say that they could not be asked', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const mend = dashboard().inject(/GET \/api\/projects\/[^/]+\/remediation\/plan/, failing(500));
    const path = `/projects/${organisation.projectId}/fixes`;
    const page = await dashboard().open(path, { organisation, expects: /50\d/ });
    await page.getByRole('alert').waitFor();
    mend();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Closed by the plan').waitFor();
  });
});
