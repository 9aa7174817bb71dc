import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { hasChromium, openBrowser } from '../../browser/support/chromium.js';
import { startPostern, type TestPostern } from '../../support/postern.js';
import { startService } from '../../support/service.js';

let postern: TestPostern;
beforeAll(async () => {
  postern = await startPostern();
});
afterAll(() => postern.close());

describe('the reference page', () => {
  test.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/start.js', 'text/javascript; charset=utf-8'],
    ['/docs/swagger-ui.js', 'text/javascript; charset=utf-8'],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/openapi.json', 'application/json; charset=utf-8'],
  ])('%s is served beside the gateway, compressed or not', async (at, type) => {
    const bodies = [];
    for (const encoding of ['gzip', 'identity']) {
      const answer = await fetch(`${postern.url}${at}`, { headers: { 'accept-encoding': encoding } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      bodies.push(await answer.text());
    }
    expect(bodies[0]?.length).toBeGreaterThan(100);
    expect(bodies[1]).toBe(bodies[0]);
  });

  test('has a policy that runs nothing inline and asks nobody else, and nothing inline', async () => {
    const answer = await fetch(`${postern.url}/docs`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*|nonce/);
    expect(await answer.text()).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https?:\/\//i);
  });

  test('is not there where the viewer was not built, and the document is', async () => {
    const service = await startService({ docs: await mkdtemp(path.join(inject('runFolder'), 'docs-')) });
    const statusOf = async (at: string) => (await fetch(`${service.url}${at}`)).status;
    expect([await statusOf('/docs'), await statusOf('/openapi.json')]).toEqual([404, 200]);
    await service.close();
  });
});

describe.skipIf(!hasChromium)('in a browser', () => {
  test('shows the operations and calls one with a key, without a word in the console', async () => {
    const { readKey } = await postern.newOrganisation();
    const context = await (await openBrowser()).newContext();
    try {
      const page = await context.newPage();
      const messages: string[] = [];
      const asked = new Set<string>();
      page.on('console', (message) => messages.push(message.text()));
      page.on('pageerror', (error) => messages.push(error.message));
      page.on('request', (request) => asked.add(new URL(request.url()).origin));
      await page.goto(`${postern.url}/docs`);
      await page.getByRole('button', { name: 'Authorize' }).click();
      await page.getByLabel('auth-bearer-value').fill(readKey);
      await page.getByRole('button', { name: 'Apply credentials' }).click();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.locator('#operations-tag-session').click();
      const operation = page.locator('#operations-session-sessionGet');
      await operation.getByText('Who is calling').click();
      await operation.getByRole('button', { name: 'Try it out' }).click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      await operation.locator('.live-responses-table').getByText('ReadOnly key').first().waitFor();
      expect(messages).toEqual([]);
      expect([...asked].filter((origin) => origin !== 'null')).toEqual([postern.url]);
    } finally {
      await context.close();
    }
  });
});
