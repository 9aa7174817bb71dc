import type { Browser } from 'playwright-core';
import * as z from 'zod';
import type { SampleServer } from '../capacity/sample-server.js';
import { signedIn } from './signed-in.js';

export interface ListSample {
  /** Milliseconds from the navigation to the first row. */
  readonly firstRowMs: number;
  /** The longest task of the main thread while 3,000 rows were scrolled through, in milliseconds. */
  readonly longestTaskMs: number;
  /** Rows in the document afterwards. */
  readonly rowsInDocument: number;
  /** Milliseconds from the choice of a filter to its rows. */
  readonly filterMs: number;
}

/** Scrolls and filters a project's list of alerts. */
export async function measureList(browser: Browser, server: SampleServer, projectId: string): Promise<ListSample> {
  const context = await signedIn(browser, server);
  try {
    const page = await context.newPage();
    await page.addInitScript(observeTasks);
    const rows = page.locator('tr[data-row]');
    const began = performance.now();
    await page.goto(`/projects/${projectId}/alerts`);
    await rows.first().waitFor();
    const firstRowMs = performance.now() - began;
    await page.evaluate('window.longest = 0');
    for (let step = 0; step < 30; step += 1) {
      await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
      await page.waitForLoadState('networkidle');
    }
    const longestTaskMs = z.number().parse(await page.evaluate('window.longest'));
    const rowsInDocument = await rows.count();
    await page.evaluate('window.scrollTo(0, 0)');
    const chosen = performance.now();
    await page.getByLabel('Tier').selectOption('RED');
    await page.waitForURL(/tier=/);
    await page.locator('table[aria-busy="true"]').waitFor({ state: 'detached' });
    return { firstRowMs, longestTaskMs, rowsInDocument, filterMs: performance.now() - chosen };
  } finally {
    await context.close();
  }
}

/** Tasks of over 50 ms (Long Tasks, W3C). Runs in the page. */
const observeTasks = `
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: 'longtask', buffered: true });
`;
