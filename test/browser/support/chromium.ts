import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium, or the one that CHROMIUM names. No browser is downloaded. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Without it tests of pages skip; in CI it must be there. */
export const hasChromium = existsSync(executablePath) || process.env['CI'] !== undefined;

if (!hasChromium) console.warn(`Tests of the dashboard are skipped: there is no ${executablePath}; set CHROMIUM.`);

let browser: Promise<Browser> | undefined;

/** One browser for all tests of a worker; each test has a context of its own. It ends with the worker. */
export function openBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath,
    // In a container the browser's own sandbox has no rights to begin with. The pages are ours.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  return browser;
}
