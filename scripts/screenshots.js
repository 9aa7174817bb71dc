// Takes pictures of the dashboard from a running product: a server of its own with the sample's data, and Chromium.
//
//   npm run build && npm run screenshots              those of the README, into docs/images
//   npm run screenshots -- --all --out DIR            every page, light and dark, wide and 380 px
//
// CHROMIUM names the browser; default: /usr/bin/chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    out: { type: 'string', default: 'docs/images' },
    only: { type: 'string' },
  },
});

/** Pages by name. `$project` is the sample's; `click` opens the first row of a list. */
const pages = [
  { name: 'posture', path: '/', readme: ['light', 'dark'] },
  { name: 'projects', path: '/projects' },
  { name: 'project', path: '/projects/$project' },
  { name: 'alerts', path: '/alerts' },
  { name: 'alert', path: '/projects/$project/alerts', click: true, readme: ['light'] },
  { name: 'code', path: '/code', click: true },
  { name: 'running-app', path: '/running-app', click: true },
  { name: 'images', path: '/images', click: true },
  { name: 'packages', path: '/projects/$project/packages', click: true },
  { name: 'uploads', path: '/projects/$project/uploads' },
  { name: 'webhooks', path: '/projects/$project/webhooks' },
  { name: 'project-settings', path: '/projects/$project/settings' },
  { name: 'search', path: '/search?q=CVE-2019-10744' },
  { name: 'jobs', path: '/jobs' },
  { name: 'feeds', path: '/feeds' },
  { name: 'organisation', path: '/settings' },
  { name: 'members', path: '/settings/members' },
  { name: 'api-keys', path: '/settings/api-keys' },
  { name: 'connect', path: '/settings/connect', readme: ['light'] },
  { name: 'audit-log', path: '/settings/audit-log' },
  { name: 'account', path: '/settings/account' },
  { name: 'sign-in', path: '/sign-in', signedOut: true },
];

const dataDir = await mkdtemp(path.join(tmpdir(), 'postern-screenshots-'));
const server = spawn(process.execPath, [path.resolve('dist/postern.js')], {
  cwd: dataDir,
  env: { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
});
try {
  const url = await readyUrl();
  const { admin, project_id: project } = JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8'));
  await mkdir(values.out, { recursive: true });
  for (const [theme, width] of values.all
    ? everyLook()
    : [
        ['light', 1360],
        ['dark', 1360],
      ]) {
    const context = await browser.newContext({
      baseURL: url,
      viewport: { width, height: width < 700 ? 860 : 850 },
      deviceScaleFactor: 1,
      colorScheme: theme,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    });
    await context.request.post('/trpc/session-cookie', { headers: { origin: url }, data: admin });
    const page = await context.newPage();
    for (const each of pages) {
      if (values.only !== undefined && !values.only.split(',').includes(each.name)) continue;
      if (!values.all && !each.readme?.includes(theme)) continue;
      if (each.signedOut) await context.clearCookies();
      await page.goto(each.path.replace('$project', project), { waitUntil: 'networkidle' });
      if (each.click && (await page.locator('[data-row-link]').count()) > 0) {
        await page.locator('[data-row-link]').first().click();
      }
      await page.evaluate(untilLoaded);
      const file = values.all ? `${each.name}-${theme}-${width}.png` : `${each.name}-${theme}.png`;
      await page.screenshot({ path: path.join(values.out, file) });
    }
    await context.close();
  }
} finally {
  await browser.close();
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
  await rm(dataDir, { recursive: true, force: true });
}

/** Resolves, in the page, when nothing has been loading for a second: one part may only begin when another is there. */
async function untilLoaded() {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  let quietSince = performance.now();
  while (performance.now() - quietSince < 1_000) {
    await frame();
    if (document.querySelector('[role=status][aria-label^=Loading]') !== null) quietSince = performance.now();
  }
}

function everyLook() {
  return ['light', 'dark'].flatMap((theme) => [1440, 380].map((width) => [theme, width]));
}

/** Where the server says that it is ready, when the sample is complete. */
async function readyUrl() {
  let text = '';
  for await (const chunk of server.stdout) {
    text += chunk;
    const [, found] = /Postern is ready at (\S+)\n[\s\S]*\n}\n\n/.exec(text) ?? [];
    if (found !== undefined) {
      server.stdout.resume();
      return found;
    }
  }
  throw new Error(`the server ended: ${text}`);
}
