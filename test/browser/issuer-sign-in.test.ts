import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AuthorizationServer } from '../support/authorization-server.js';
import type { TestOrganisation } from '../support/service.js';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';

const dashboard = startDashboard({ withIssuer: true });

/** An organisation that takes the issuer, and everybody with an address of its domain. */
async function taking() {
  const { service, issuer } = dashboard();
  const organisation = await service.newOrganisation();
  const policy = { issuer: issuer.issuer, joins: true, default_role: 'member' };
  const { status } = await service.call(organisation.admin.session, 'POST', '/api/org/issuers', policy);
  expect(status).toBe(200);
  const domain = `d-${randomUUID()}.example`;
  await service.database.system((tx) =>
    tx
      .insertInto('email_domains')
      .values({ organisation_id: organisation.id, domain, challenge: 'c', proven_by: 'dns' })
      .execute(),
  );
  return { organisation, domain };
}

/** Signs in next at the issuer; nobody is signed in there yet. */
function comes(email: string, name = 'Grace Hopper') {
  dashboard().issuer.person = { sub: randomUUID(), email, email_verified: true, name };
}

/** What the issuer sends browsers back to, until the test ends. */
function returning(change: AuthorizationServer['returning']) {
  const { issuer } = dashboard();
  issuer.returning = change;
  onTestFinished(() => {
    issuer.returning = (to) => to;
  });
}

function withParameter(to: URL, name: string, value: string): URL {
  to.searchParams.set(name, value);
  return to;
}

const withIssuer = (page: Page) => page.getByRole('button', { name: /^Sign in with 127\.0\.0\.1/ });
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });

async function namesAccount(page: Page, { id }: TestOrganisation) {
  // The button names it too: before that the page of before is still there.
  await page.getByRole('button', { name: new RegExp(`^Account: .*organisation ${id}$`) }).click();
  await page.getByRole('menu').getByText(`organisation ${id}, Business plan`).waitFor();
  await page.keyboard.press('Escape');
}

describe.skipIf(!hasChromium)('signing in at an issuer', () => {
  test('makes a new person a member, who goes where he wanted, comes back as a known one, and out again', async () => {
    const { organisation, domain } = await taking();
    comes(`grace@${domain}`);
    const page = await dashboard().open('/projects?sort=name', { organisation, as: null, expects: /401/ });
    await withIssuer(page).waitFor();
    await expectAccessible(page);
    await withIssuer(page).click();
    await page.waitForURL(/\/projects/);
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    await namesAccount(page, organisation);
    // The cookie is as strict as ever, and neither code nor state is left in the history.
    const [cookie] = await page.context().cookies(`${dashboard().url}/trpc`);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/trpc' });
    expect(await page.evaluate('Object.keys(sessionStorage).join()')).not.toContain('sign-in');
    await page.goto('/settings/members');
    await page.getByText('Grace Hopper').first().waitFor();

    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    // By way of the issuer, which has ended its own session.
    await page.waitForURL(/\/sign-in$/);
    await page.goto('/projects');
    await withIssuer(page).click();
    await navigation(page).waitFor();
    await page.goto('/settings/account');
    await page.getByText(`grace@${domain}`).first().waitFor();
  });

  test('says that the issuer is away, and works when it is back', async () => {
    const { organisation, domain } = await taking();
    comes(`a@${domain}`);
    const { issuer } = dashboard();
    const page = await dashboard().open('/sign-in', { organisation, as: null, expects: /401|50\d/ });
    await withIssuer(page).waitFor();
    await withIssuer(page).click();
    await navigation(page).waitFor();
    // Away while somebody is at its page: the code cannot be redeemed.
    await page.context().clearCookies();
    await page.evaluate('localStorage.clear()');
    await page.goto('/sign-in');
    returning((to) => {
      issuer.isDown = true;
      return to;
    });
    await withIssuer(page).click();
    await page.getByText('The sign-in service does not answer').waitFor();
    await expectAccessible(page);
    issuer.isDown = false;
    returning((to) => to);
    await page.getByRole('link', { name: 'To the sign-in page' }).click();
    await withIssuer(page).click();
    await navigation(page).waitFor();
  });

  test('signs nobody in by a wrong state, another tab’s answer, or none', async () => {
    const { organisation, domain } = await taking();
    comes(`a@${domain}`);
    const page = await dashboard().open('/sign-in', { organisation, as: null, expects: /401|422|400/ });
    const over = page.getByText('No sign-in of this tab is under way');
    returning((to) => withParameter(to, 'state', 'wrong'));
    await withIssuer(page).click();
    await over.waitFor();
    await expectAccessible(page);
    await page.goto('/sign-in/callback');
    await over.waitFor();
    // The right state with a code of somewhere else.
    returning((to) => withParameter(to, 'code', 'other'));
    await page.goto('/sign-in');
    await withIssuer(page).click();
    await page.getByText('This sign-in does not fit').waitFor();
    await page.goto('/');
    await page.waitForURL(/\/sign-in/);
  });

  test('works in two tabs that were begun at once, whichever comes back first', async () => {
    const { organisation, domain } = await taking();
    comes(`a@${domain}`);
    const first = await dashboard().open('/sign-in?to=%2Fprojects', { organisation, as: null, expects: /401/ });
    const second = await dashboard().openTab(first, '/sign-in?to=%2Falerts');
    await Promise.all([withIssuer(first).waitFor(), withIssuer(second).waitFor()]);
    // The first waits at the issuer until the second is through.
    let [arrive, go] = [() => {}, () => {}];
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    returning(async (to) => {
      arrive();
      await held;
      return to;
    });
    await withIssuer(first).click();
    await arrived;
    returning((to) => to);
    await withIssuer(second).click();
    await second.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    go();
    await first.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
  });

  test('tells somebody without an account so, and one whose address nobody has confirmed how to', async () => {
    const { organisation } = await taking();
    comes(`stranger-${randomUUID()}@example.com`);
    const page = await dashboard().open('/sign-in', { organisation, as: null, expects: /401/, width: 380 });
    await withIssuer(page).click();
    await page.getByText('You have no account here').waitFor();
    await expectNoSidewaysScroll(page);
    comes(organisation.member.email);
    const other = await dashboard().open('/sign-in', { organisation, as: null, expects: /401/ });
    await withIssuer(other).click();
    await other.getByText('nobody has shown that it is yours').waitFor();
    await expectAccessible(other);
  });

  test('accepts an invite', async () => {
    const { organisation } = await taking();
    const email = `invited-${randomUUID()}@example.com`;
    comes(email);
    const { body } = await dashboard().service.call(organisation.admin.session, 'POST', '/api/org/invites', { email });
    const page = await dashboard().open(`/accept-invite#token=${Object(body).token}`, { organisation, as: null });
    await page.getByRole('button', { name: /^Accept with/ }).click();
    await navigation(page).waitFor();
    await namesAccount(page, organisation);
  });

  test('asks which of two organisations is meant, and switches between them', async () => {
    const { service } = dashboard();
    const [one, two] = [await taking(), await taking()];
    const person = { sub: randomUUID(), email: `a@${one.domain}`, email_verified: true, name: 'Ada' };
    await service.database.system((tx) =>
      tx
        .updateTable('members')
        .set({ email: person.email, proven_by: 'mail' })
        .where('id', '=', two.organisation.member.id)
        .execute(),
    );
    dashboard().issuer.person = person;
    const page = await dashboard().open('/sign-in', { organisation: one.organisation, as: null, expects: /401/ });
    await withIssuer(page).click();
    await page.getByText('Which one do you want to work in?').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: `organisation ${one.organisation.id}` }).click();
    await namesAccount(page, one.organisation);
    // The other one is known to be this person's once he or she has signed in there.
    await page.context().clearCookies({ path: '/trpc' });
    await page.evaluate('localStorage.clear()');
    await page.goto('/sign-in');
    await withIssuer(page).click();
    await page.getByRole('button', { name: `organisation ${two.organisation.id}` }).click();
    await namesAccount(page, two.organisation);
    const tab = await dashboard().openTab(page, '/');
    await namesAccount(tab, two.organisation);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: `Switch to organisation ${one.organisation.id}` }).click();
    await namesAccount(page, one.organisation);
    // What the other tab showed was of the organisation of before.
    await tab.waitForFunction(`document.body.textContent.includes('organisation ${one.organisation.id}')`);
  });
});
