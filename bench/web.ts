/**
 * What the dashboard costs a reader: for each page the compressed JavaScript, the largest contentful paint, the layout shift
 * and the time of scripts, in Chromium, with the sample's data; then a list of 10,000 alerts that is scrolled and filtered.
 * Medians of `--rounds`, each with an empty cache. CHROMIUM names the browser.
 */
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { startSampleServer } from './capacity/sample-server.js';
import { buildPostern } from './support/postern-program.js';
import { fillWithAlerts } from './web/fill-with-alerts.js';
import { measureList } from './web/measure-list.js';
import { measurePage } from './web/measure-page.js';
import { printLists, printPages } from './web/print.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, alerts: { type: 'string', default: '10000' } },
});

const checkout = buildPostern();
const server = await startSampleServer(checkout, undefined);
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  const rounds = Array.from({ length: Number(values.rounds) }, (_, round) => round);
  const project = `/projects/${server.projectId}`;
  const paths = ['/sign-in', '/', '/projects', project, `${project}/alerts`, '/code', '/images', `${project}/packages`];
  const pages = [];
  for (const path of [...paths, '/jobs', '/feeds', '/settings', '/settings/api-keys', '/settings/audit-log']) {
    const samples = [];
    for (const _ of rounds) samples.push(await measurePage(browser, server, path));
    pages.push({ path: path.replace(server.projectId, '…'), samples });
  }
  printPages(pages);
  const projectId = await fillWithAlerts(checkout, server, Number(values.alerts));
  const lists = [];
  for (const _ of rounds) lists.push(await measureList(browser, server, projectId));
  printLists(Number(values.alerts), lists);
} finally {
  await browser.close();
  await server.close();
}
