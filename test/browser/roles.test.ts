import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ranks } from '../../prove/support/operation.js';
import { at, textAt } from '../support/at.js';
import { expectAccessible } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { newSampleOrganisation, type SampleOrganisation } from './support/sample-organisation.js';

const dashboard = startDashboard();

type Rank = (typeof ranks)[number];

interface Shown {
  readonly path: string;
  /** There when the page is. */
  readonly loaded: (page: Page) => Locator;
  /** Each with the role that may least of those who see it. */
  readonly buttons: Readonly<Record<string, Rank>>;
}

const row = (name: RegExp) => (page: Page) => page.getByRole('row', { name }).first();
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first();

/** Pages of a project. */
function pagesOf(projectId: string, alertId: string): readonly Shown[] {
  const project = `/projects/${projectId}`;
  return [
    {
      path: `${project}/settings`,
      loaded: text('Created'),
      buttons: { Save: 'member', 'Delete project': 'admin' },
    },
    { path: `${project}/packages`, loaded: row(/lodash/), buttons: { 'Add a package': 'member' } },
    {
      path: `${project}/webhooks`,
      loaded: (page) => page.getByRole('row').nth(1),
      buttons: { 'Add webhook': 'member', 'Edit .*': 'member' },
    },
    { path: `${project}/uploads`, loaded: text('Large uploads'), buttons: { 'Choose files': 'member' } },
    {
      path: `${project}/running-app?view=targets`,
      loaded: text('Hosted scans'),
      buttons: { 'Add a target': 'member' },
    },
    {
      path: `${project}/alerts/${alertId}`,
      loaded: text('EffectivePriority'),
      buttons: { Acknowledge: 'triager', Override: 'triager' },
    },
  ];
}

/** Pages of the organisation. */
const ofOrganisation: readonly Shown[] = [
  { path: '/projects', loaded: row(/Web shop/), buttons: { 'New project': 'member' } },
  { path: '/settings', loaded: text('Last changed'), buttons: { Save: 'admin' } },
  { path: '/settings/members', loaded: row(/admin/), buttons: { Invite: 'admin', 'Actions for .*': 'admin' } },
  { path: '/settings/api-keys', loaded: text('Admins'), buttons: { 'New API key': 'admin' } },
];

/** The buttons that are not as the role says, on pages that are open. */
async function differencesOn(page: Page, { path, loaded, buttons }: Shown, rank: Rank): Promise<string[]> {
  await page.goto(path);
  await loaded(page).waitFor();
  const differences: string[] = [];
  for (const [name, least] of Object.entries(buttons)) {
    const button = page.getByRole('button', { name: new RegExp(`^${name}$`) }).first();
    const isExpected = ranks.indexOf(rank) >= ranks.indexOf(least);
    if (isExpected) await button.waitFor();
    else if (await button.isVisible()) differences.push(`${path}: ${name} is shown`);
  }
  return differences;
}

async function someAlert({ id, readKey, projectId }: SampleOrganisation): Promise<string> {
  const { body } = await dashboard().service.call(
    readKey,
    'GET',
    `/api/projects/${projectId}/alerts?acknowledged=false`,
  );
  const alert = [at(body, 'items')].flat().find((each) => at(each, 'verdict') !== null);
  if (alert === undefined) throw new Error(`${id} has no alert with a verdict`);
  return textAt(alert, 'id');
}

describe.skipIf(!hasChromium)('what a role may not do', () => {
  test.each(['viewer', 'triager', 'member', 'admin'] as const)('is no button for the role %s', async (role) => {
    const { service, open } = dashboard();
    const organisation = await newSampleOrganisation(service);
    const person = role === 'admin' ? organisation.admin : await service.newMember(organisation.id, role);
    const page = await open('/projects', { organisation, as: person });
    const shown = pagesOf(organisation.projectId, await someAlert(organisation));
    const others =
      role === 'admin' ? ofOrganisation.filter(({ path }) => path !== '/settings/api-keys') : ofOrganisation;
    const differences = [];
    for (const each of [...others, ...shown]) differences.push(...(await differencesOn(page, each, role)));
    expect(differences).toEqual([]);
  });

  test.each(['viewer', 'triager', 'member', 'admin'] as const)(
    'is no button for the role %s in a group, and there for it in its projects',
    async (role) => {
      const { service, open } = dashboard();
      const organisation = await newSampleOrganisation(service);
      const ask = (method: string, path: string, body: unknown) =>
        service.call(organisation.admin.session, method, path, body);
      const group = textAt((await ask('POST', '/api/groups', { name: 'Retail' })).body, 'id');
      await ask('PATCH', `/api/projects/${organisation.projectId}`, { group });
      const person = await service.newMember(organisation.id, 'none');
      await ask('PATCH', `/api/org/members/${person.id}`, { groups: [{ group, role }] });
      const page = await open('/projects', { organisation, as: person });
      const differences = await differencesOn(
        page,
        { path: '/projects', loaded: row(/Web shop/), buttons: { 'New project': 'member' } },
        'none',
      );
      expect(await page.getByRole('row').count()).toBe(2);
      for (const each of pagesOf(organisation.projectId, await someAlert(organisation)))
        differences.push(...(await differencesOn(page, each, role)));
      await page.goto('/settings');
      await page.getByRole('link', { name: 'My account' }).click();
      await page.getByText('Role in Retail').waitFor();
      expect(await page.getByRole('link', { name: 'Members' }).count()).toBe(0);
      expect(differences).toEqual([]);
    },
  );

  test('is nothing to select either, in a list of alerts', async () => {
    const { service, open } = dashboard();
    const organisation = await newSampleOrganisation(service);
    const viewer = await service.newMember(organisation.id, 'viewer');
    const page = await open('/alerts', { organisation, as: viewer });
    await page.getByRole('row').nth(1).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expectAccessible(page);
  });
});
