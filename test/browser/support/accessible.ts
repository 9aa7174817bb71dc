import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** axe finds nothing to mend on the page as it is now, in the light theme and in the dark one. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Evaluated by the debugger, so that the page's own policy stays as it is.
    await page.evaluate(axe);
    const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
    const found = violations.map(({ id, help, nodes }) => ({
      rule: `${id}: ${help}`,
      at: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary ?? ''}`),
    }));
    expect({ colorScheme, url: page.url(), found }).toEqual({ colorScheme, url: page.url(), found: [] });
  }
}

/** Nothing makes the page scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { content, window } = await page.evaluate<{ content: number; window: number }>(
    '({ content: document.documentElement.scrollWidth, window: document.documentElement.clientWidth })',
  );
  expect(content, `${page.url()} is wider than its window`).toBeLessThanOrEqual(window);
}
