import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import * as z from 'zod';
import type { SampleServer } from '../capacity/sample-server.js';

const firstRun = z.object({ admin: z.object({ email: z.string(), password: z.string() }) });

/** A browser context without a cache, signed in as the sample's admin. */
export async function signedIn(browser: Browser, { url, dataDir }: SampleServer): Promise<BrowserContext> {
  const { admin } = firstRun.parse(JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8')));
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  const response = await context.request.post('/trpc/session-cookie', { headers: { origin: url }, data: admin });
  if (!response.ok()) throw new Error(`signing in: ${response.status()}`);
  return context;
}
