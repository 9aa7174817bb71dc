import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';
import { newSampleOrganisation } from './support/sample-organisation.js';

const dashboard = startDashboard();
const shop = 'registry.example.com/shop/web-shop:1.8';

describe.skipIf(!hasChromium)('images', () => {
  test('say what they stand on, and which line to change', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/images', { organisation, as: 'member' });
    await page.getByRole('link', { name: shop }).click();
    const detail = page.getByRole('complementary');
    await detail.getByText('Change this line:').waitFor();
    await detail.getByRole('button', { name: 'Copy the suggested FROM line' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(/^FROM /);
    await detail.getByText(/^own layers: \d+ findings$/).waitFor();
    await expectAccessible(page);
    await detail.getByRole('link', { name: 'All findings of this image' }).click();
    await page.getByRole('status').getByText('9 findings').waitFor();
    expect(new URL(page.url()).searchParams.get('source')).toBe(shop);
  });

  test('monitoring turns at once, and turns back where that failed', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/images', { organisation, expects: /50\d/ });
    await page.getByRole('link', { name: shop }).click();
    const monitoring = page.getByRole('switch', { name: 'Monitoring' });
    const before = await monitoring.getAttribute('aria-checked');
    const mend = dashboard().inject(/PATCH \/api\/projects\/[^/]+\/containers/, failing(500));
    await monitoring.click();
    await page
      .getByText(/^Monitoring stays/)
      .first()
      .waitFor();
    expect(await monitoring.getAttribute('aria-checked')).toBe(before);
    mend();
    await monitoring.press('Space');
    await page.locator(`[role=switch][aria-checked=${before === 'true' ? 'false' : 'true'}]`).waitFor();
    await page.reload();
    await page.locator(`[role=switch][aria-checked=${before === 'true' ? 'false' : 'true'}]`).waitFor();
  });

  test('take a Dockerfile, and say what is wrong with another text', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open(`/projects/${organisation.projectId}/images`, { organisation, expects: /400/ });
    await page.getByRole('link', { name: /node:20/ }).click();
    await page.getByRole('button', { name: 'Give its Dockerfile' }).click();
    await page.getByLabel('Text').fill('RUN true');
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByText(/is a Dockerfile, with a FROM/i).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Text').fill('FROM debian:12\nRUN true');
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByText('The Dockerfile is known now.').first().waitFor();
  });

  test('findings are filtered by image and open beside the list', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/images?view=findings', { organisation });
    await page.getByRole('combobox', { name: /^Image/ }).selectOption(shop);
    await page.getByRole('status').getByText('9 findings').waitFor();
    await page.getByRole('link', { name: 'CVE-2023-4863' }).click();
    const detail = page.getByRole('complementary');
    await detail.getByText('the scanners name 0.6.1-2.1+deb11u2 as fixed').waitFor();
    await expectAccessible(page);
    await detail.getByRole('link', { name: 'Close, back to the list' }).click();
    await detail.waitFor({ state: 'detached' });
    await page.getByRole('status').getByText('9 findings').waitFor();
  });

  test('fit a narrow screen', async () => {
    const organisation = await newSampleOrganisation(dashboard().service);
    const page = await dashboard().open('/images', { organisation, width: 380 });
    await page.getByRole('link', { name: shop }).waitFor();
    await expectNoSidewaysScroll(page);
    await page.getByRole('link', { name: shop }).click();
    await page.getByRole('heading', { level: 1, name: shop }).waitFor();
    await page.getByText('Change this line:').waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
});
