import { describe, expect, test } from 'vitest';
import { newOrganisationWithProject } from '../service/projects/new-project.js';
import { startReceiver } from '../service/webhooks/receiver.js';
import { textAt } from '../support/at.js';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';

const dashboard = startDashboard({ webhookHosts: new Set(['127.0.0.1']) });

/** A project with one webhook, which goes to a receiver on loopback. */
async function newWebhook(receiver: { readonly url: string }) {
  const { service } = dashboard();
  const { organisation, projectId } = await newOrganisationWithProject(service);
  const path = `/api/projects/${projectId}/webhooks`;
  const { body } = await service.call(organisation.writeKey, 'POST', path, {
    ...{ kind: 'generic', name: 'Relay', url: receiver.url, events: ['scan.finished'] },
  });
  return { organisation, page: `/projects/${projectId}/webhooks`, path: `${path}/${textAt(body, 'webhook.id')}` };
}

describe.skipIf(!hasChromium)('webhooks', () => {
  test('are added with a secret that is shown once, and a test says that it has arrived', async () => {
    const receiver = await startReceiver();
    const { organisation, projectId } = await newOrganisationWithProject(dashboard().service);
    const page = await dashboard().open(`/projects/${projectId}/webhooks`, { organisation, as: 'member' });
    await page.getByText('This project has no webhook.').waitFor();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Kind').selectOption('generic');
    await dialog.getByLabel('Name').fill('Relay');
    await dialog.getByLabel('Address').fill(receiver.url);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await dialog.locator('pre', { hasText: /^whsec_/ }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('Nothing was sent in the last 30 days.').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test has arrived.').waitFor();
    await page.getByRole('table', { name: 'Deliveries' }).getByText('delivered', { exact: true }).waitFor();
    expect(receiver.received).toHaveLength(1);
    expect(await page.content()).not.toContain('hook/secret');
    await expectAccessible(page);
  });

  test('say why a test did not arrive, and when it is tried again', async () => {
    const receiver = await startReceiver((res) => res.writeHead(500).end());
    const { organisation, page: at } = await newWebhook(receiver);
    const page = await dashboard().open(at, { organisation, width: 380 });
    await page.getByRole('link', { name: 'Deliveries of Relay' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/The test has not arrived yet: .*500.* The next try is at/).waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

  test('show a switch at once, and take it back where the service refuses', async () => {
    const { organisation, page: at } = await newWebhook(await startReceiver());
    const page = await dashboard().open(at, { organisation, expects: /50\d/ });
    const on = page.getByRole('checkbox', { name: 'Relay is on' });
    const mend = dashboard().inject(/PATCH .*webhooks/, failing(500));
    await on.click();
    await page.getByText('Relay is still on').first().waitFor();
    await expect.poll(() => on.isChecked(), { timeout: 300_000 }).toBe(true);
    mend();
    await on.click();
    await page.getByText('1 webhook, 0 on').waitFor();
    await page.reload();
    await page.getByText('1 webhook, 0 on').waitFor();
  });

  test('are edited over what somebody else wrote only after that was shown', async () => {
    const { organisation, page: at, path } = await newWebhook(await startReceiver());
    const page = await dashboard().open(at, { organisation, expects: /409/ });
    await page.getByRole('button', { name: 'Edit Relay' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Mine');
    await dashboard().service.call(organisation.writeKey, 'PATCH', path, { name: 'Theirs' });
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('It is now called “Theirs”').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByRole('link', { name: 'Deliveries of Mine' }).waitFor();
  });

  test('that may not be called are refused at the field, and deleting one asks', async () => {
    const { organisation, page: at } = await newWebhook(await startReceiver());
    const page = await dashboard().open(at, { organisation, expects: /400/ });
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Inside');
    await dialog.getByLabel('Address').fill('https://example.com/hook');
    for (const event of ['Red alerts', 'Known exploited'])
      await dialog.getByRole('checkbox', { name: event }).uncheck();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await dialog.getByRole('group', { name: 'Notify of' }).getByText('Needs at least one.').waitFor();
    await dialog.getByRole('checkbox', { name: 'Red alerts' }).check();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await dialog.getByText(/Is not an https address of this kind of webhook/).waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Inside');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete Relay' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('This project has no webhook.').waitFor();
  });
});
