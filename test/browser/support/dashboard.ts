import path from 'node:path';
import { pino } from 'pino';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { deliveriesJob } from '../../../src/service/webhooks/deliveries.js';
import { type AuthorizationServer, startAuthorizationServer } from '../../support/authorization-server.js';
import { root } from '../../support/build.js';
import { freePort } from '../../support/free-port.js';
import { type StartedGateway, startGateway } from '../../support/gateway.js';
import { ownDatabase } from '../../support/own-database.js';
import { publishedFixes } from '../../support/published-fixes.js';
import { testSecrets } from '../../support/secrets.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { startJob } from '../../support/start-job.js';
import { openBrowser } from './chromium.js';
import { type FaultyWay, openFaultyWay } from './faults.js';

type Person = Pick<TestOrganisation['admin'], 'email' | 'password'>;

interface Opening {
  readonly organisation: TestOrganisation;
  /** Who is signed in. Default: the admin. Null: nobody. */
  readonly as?: 'admin' | 'member' | Person | null;
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Console messages that the test brings about, such as those of refused requests. */
  readonly expects?: RegExp;
}

export interface Dashboard {
  readonly url: string;
  readonly service: TestService;
  /** The issuer that people sign in at, where the dashboard was started with one. */
  readonly issuer: AuthorizationServer;
  /** Makes requests of the gateway to the service fail, until it is mended or the test ends. */
  readonly inject: FaultyWay['inject'];
  /** Opens a page in a browser context of its own, signed in. After the test nothing may be left in the console. */
  readonly open: (path: string, opening: Opening) => Promise<Page>;
  /** A further tab of the same browser context. */
  readonly openTab: (page: Page, path: string) => Promise<Page>;
}

interface DashboardOptions {
  /** Receivers that may be private addresses. With them webhooks are sent. */
  readonly webhookHosts?: ReadonlySet<string>;
  /** Links go by mail, which a test sends: the database is of its own. */
  readonly canMail?: boolean;
  /** Advisories are whole and of today, and the registries have said that the versions which they name were published. */
  readonly freshAdvisories?: boolean;
  /** People may sign in at an issuer: another site, to a browser. */
  readonly withIssuer?: boolean;
}

/**
 * The built dashboard, a gateway that serves it, and the service behind that, for the tests of one file. All three are real, and
 * so is the database; the way between gateway and service can be made to fail.
 */
export function startDashboard(options: DashboardOptions = {}): () => Dashboard {
  const { webhookHosts, canMail = false, freshAdvisories = false, withIssuer = false } = options;
  let dashboard: Dashboard | undefined;
  const closers: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const issuer = withIssuer ? await startAuthorizationServer() : undefined;
    if (issuer !== undefined) closers.unshift(issuer.close);
    const port = await freePort();
    const publicUrl = `http://localhost:${port}`;
    const instance = issuer && { issuer: issuer.issuer, ...(await issuer.register(publicUrl)) };
    const service = await startService({
      assessing: true,
      ...(instance !== undefined && { signIn: { publicUrl, instance } }),
      canMail,
      ...(webhookHosts
        ? await delivering(webhookHosts, closers)
        : {
            database:
              canMail || freshAdvisories ? await newDatabase(freshAdvisories, closers) : await dashboardDatabase(),
          }),
    });
    closers.unshift(service.close);
    const way = await openFaultyWay(service.url);
    closers.unshift(way.close);
    const gateway: StartedGateway = await startGateway({
      serviceUrl: way.url,
      dashboard: path.join(root, 'dist/web'),
      limitMs: 120_000,
      ...(issuer !== undefined && { port }),
    });
    closers.unshift(gateway.close);
    const url = issuer === undefined ? gateway.url : publicUrl;
    const own = issuer === undefined ? [url] : [url, issuer.issuer];
    dashboard = {
      ...{ url, service },
      get issuer() {
        if (issuer === undefined) throw new Error('the dashboard was started without an issuer');
        return issuer;
      },
      inject: (asked, fault) => {
        const mend = way.inject(asked, fault);
        onTestFinished(mend);
        return mend;
      },
      open: (at, opening) => openPage({ url, own }, at, opening),
      openTab: (page, at) => openTab(page.context(), own, at),
    };
  });
  afterAll(async () => {
    for (const close of closers) await close();
  });

  return () => {
    if (dashboard === undefined) throw new Error('the dashboard has not started');
    return dashboard;
  };
}

let forAllFiles: Promise<Database> | undefined;

/** One database for the dashboards of this test worker, apart from that of other tests: they load feeds, which pages count. */
function dashboardDatabase(): Promise<Database> {
  forAllFiles ??= ownDatabase();
  return forAllFiles;
}

/** A database of its own, in which versions are proposed where advisories are fresh. */
async function newDatabase(freshAdvisories: boolean, closers: (() => Promise<void>)[]): Promise<Database> {
  const database = await ownDatabase();
  closers.unshift(() => database.close());
  if (freshAdvisories) await publishedFixes(database);
  return database;
}

/** A database of its own, and what sends: it claims every due delivery, and webhooks of other files have other receivers. */
async function delivering(webhookHosts: ReadonlySet<string>, closers: (() => Promise<void>)[]) {
  const database = await ownDatabase();
  const logger = pino({ level: 'silent' });
  const options = { database, secrets: testSecrets, logger, allowedHosts: webhookHosts, intervalMs: 20 };
  const { stop } = startJob(database, deliveriesJob(options));
  closers.unshift(stop, () => database.close());
  return { database, webhookHosts };
}

/** What went wrong in each context, but for what its test expects. */
const watched = new WeakMap<BrowserContext, { readonly problems: string[]; readonly expects: RegExp | undefined }>();

interface Site {
  readonly url: string;
  /** Where its pages may send requests. */
  readonly own: readonly string[];
}

async function openPage({ url, own }: Site, at: string, opening: Opening): Promise<Page> {
  const { organisation, as = 'admin', width = 1440, colorScheme = 'light', expects } = opening;
  const browser = await openBrowser();
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    ...{ colorScheme, locale: 'en-GB', timezoneId: 'Europe/Berlin', baseURL: url, reducedMotion: 'reduce' },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(60_000);
  const problems: string[] = [];
  watched.set(context, { problems, expects });
  onTestFinished(async () => {
    await context.close();
    expect(problems).toEqual([]);
  });
  if (as !== null) await signIn(context, url, typeof as === 'string' ? organisation[as] : as);
  return openTab(context, own, at);
}

/** Signs in as the form does. */
async function signIn(context: BrowserContext, url: string, { email, password }: Person) {
  const response = await context.request.post(`${url}/trpc/session-cookie`, {
    headers: { origin: url },
    data: { email, password },
  });
  expect(response.status(), await response.text()).toBe(200);
}

async function openTab(context: BrowserContext, own: readonly string[], at: string): Promise<Page> {
  const page = await context.newPage();
  const { problems, expects } = watched.get(context) ?? { problems: [], expects: undefined };
  page.on('console', (message) => {
    const text = `${message.type()}: ${message.text()} (${message.location().url})`;
    if (['error', 'warning'].includes(message.type()) && !expects?.test(text)) problems.push(text);
  });
  page.on('pageerror', (error) => void problems.push(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    const isOwn = [...own, 'data:'].some((each) => request.url().startsWith(each));
    if (!isOwn) problems.push(`request to another origin: ${request.url()}`);
  });
  await page.goto(at);
  return page;
}
