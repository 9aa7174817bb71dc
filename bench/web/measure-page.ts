import type { Browser, CDPSession, Page } from 'playwright-core';
import * as z from 'zod';
import type { SampleServer } from '../capacity/sample-server.js';
import { signedIn } from './signed-in.js';

export interface PageSample {
  /** Of JavaScript and CSS, compressed, until the network is quiet. */
  readonly kilobytes: { readonly scripts: number; readonly styles: number };
  /** Milliseconds since the navigation began (Largest Contentful Paint, W3C). */
  readonly largestPaintMs: number;
  /** Cumulative Layout Shift (web.dev): 0 is none. */
  readonly layoutShift: number;
  /** Milliseconds of the main thread: in scripts, and in all tasks. */
  readonly scriptMs: number;
  readonly taskMs: number;
  /** The same of scripts, opened once more with the browser's cache. */
  readonly scriptAgainMs: number;
}

const vitals = z.object({ paint: z.number(), shift: z.number() });
const sizes = z.object({ scripts: z.number(), styles: z.number() });

/** Opens a page with an empty cache, and reads what the browser says of it. */
export async function measurePage(browser: Browser, server: SampleServer, path: string): Promise<PageSample> {
  const context = await signedIn(browser, server);
  if (path === '/sign-in') await context.clearCookies();
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');
    await page.addInitScript(observeVitals);
    await page.goto(path, { waitUntil: 'networkidle' });
    await page.locator('h1').waitFor();
    const { ScriptDuration = 0, TaskDuration = 0 } = await metricsOf(session);
    const { paint, shift } = vitals.parse(await page.evaluate('window.vitals'));
    const kilobytes = await transferred(page);
    const [scriptMs, taskMs] = [ScriptDuration * 1_000, TaskDuration * 1_000];
    await page.reload({ waitUntil: 'networkidle' });
    await page.locator('h1').waitFor();
    const scriptAgainMs = ((await metricsOf(session))['ScriptDuration'] ?? 0) * 1_000;
    return { scriptAgainMs, kilobytes, largestPaintMs: paint, layoutShift: shift, scriptMs, taskMs };
  } finally {
    await context.close();
  }
}

/** Runs in the page before its own scripts. */
const observeVitals = `
  window.vitals = { paint: 0, shift: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.vitals.paint = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.vitals.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

async function transferred(page: Page): Promise<PageSample['kilobytes']> {
  const of = (ending: string) =>
    `performance.getEntriesByType('resource').filter((each) => each.name.endsWith('${ending}')).reduce((sum, each) => sum + each.encodedBodySize, 0)`;
  const { scripts, styles } = sizes.parse(await page.evaluate(`({ scripts: ${of('.js')}, styles: ${of('.css')} })`));
  return { scripts: scripts / 1_000, styles: styles / 1_000 };
}

/** The browser's counters, times in seconds. */
async function metricsOf(session: CDPSession): Promise<Readonly<Record<string, number>>> {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}
