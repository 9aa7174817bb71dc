import { describe, expect, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { callTool } from './support/mcp.js';

const dashboard = startDashboard();

describe.skipIf(!hasChromium)('connecting an agent', () => {
  test('goes from a new key over the configuration to the first call, which the page sees', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/settings/connect', { organisation });
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const key = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('Waiting for the first call by Claude Code').waitFor();
    const command = page.locator('pre', { hasText: 'claude mcp add' });
    expect(await command.textContent()).toBe(
      `claude mcp add --transport http postern ${dashboard().url}/mcp --header "Authorization: Bearer ${key}"`,
    );
    await expectAccessible(page);
    await callTool(dashboard().url, key, 'get_org');
    await page.getByText('It works: Claude Code has called.').waitFor();
    await page.getByText(/Called \d+ s ago/).waitFor();
  });

  test('has a configuration for each agent, at an address that can be shared', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/settings/connect', { organisation });
    const shown = async (agent: string, part: string) => {
      await page.getByRole('navigation', { name: 'Agents' }).getByRole('link', { name: agent }).click();
      return JSON.parse((await page.locator('pre', { hasText: part }).textContent()) ?? '');
    };
    const { url } = dashboard();
    const stdio = {
      command: 'npx',
      args: ['--yes', '--package', `${url}/download/postern.tgz`, 'mcp-router'],
      env: { SERVICE_API_KEY: '<API key>', SERVICE_API_URL: url },
    };
    expect(await shown('Claude Desktop', 'SERVICE_API_URL')).toEqual({ mcpServers: { postern: stdio } });
    expect(await shown('VS Code', 'promptString')).toMatchObject({
      servers: { postern: { type: 'http', url: `${url}/mcp`, headers: { Authorization: 'Bearer ${input:key}' } } },
    });
    expect(await shown('Cursor', 'headers')).toEqual({
      mcpServers: { postern: { type: 'http', url: `${url}/mcp`, headers: { Authorization: 'Bearer <API key>' } } },
    });
    expect(page.url()).toMatch(/agent=cursor/);
    await page.reload();
    await page.getByText('.cursor/mcp.json').first().waitFor();
    await expectAccessible(page);
  });

  test('puts nothing but a whole key into a command', async () => {
    const organisation = await dashboard().service.newOrganisation();
    const page = await dashboard().open('/settings/connect', { organisation, as: 'member', width: 380 });
    const command = page.locator('pre', { hasText: 'claude mcp add' });
    await page.getByLabel('Your key').fill('x"; rm -rf ~; "');
    await page.getByText('This is not one').waitFor();
    expect(await command.textContent()).toContain('Bearer $POSTERN_KEY');
    await page.getByLabel('Your key').fill(` ${organisation.readKey} `);
    expect(await command.textContent()).toContain(`Bearer ${organisation.readKey}`);
    await page.getByText('Admins see under API Keys').waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

  test('says that a key was revoked', async () => {
    const { service, open } = dashboard();
    const organisation = await service.newOrganisation();
    await service.call(organisation.admin.session, 'DELETE', `/api/org/api-keys/${organisation.readKeyId}`);
    const page = await open('/settings/connect', { organisation });
    await page.getByLabel('Or your own key').fill(organisation.readKey);
    await page.getByText(/No active key of yours ends in/).waitFor();
  });
});
