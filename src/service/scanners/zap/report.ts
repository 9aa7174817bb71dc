import * as z from 'zod';
import { yieldToEventLoop } from '../../../shared/async/yield-to-event-loop.js';
import { originOf } from '../app-scan.js';
import { checkCount, parseEach, parseReport, unreadableReport } from '../parse-report.js';
import type { Report } from '../scanner.js';
import { readZapXml } from './xml.js';

/**
 * ZAP's traditional JSON report (https://www.zaproxy.org/docs/desktop/addons/report-generation/report-traditional-json/)
 * as far as findings need it. Its XML report has the same parts, and is read into this shape.
 */
const number = (max: number) =>
  z
    .union([z.string().regex(/^\d{1,9}$/, 'must be a number'), z.int().min(0)])
    .transform(Number)
    .refine((code) => code <= max, `must be at most ${max}`);
const text = z.string().nullish();
const code = z.union([z.string(), z.number()]).transform(String);

const instance = z.object({ uri: text, method: text, param: text });

const alert = z.object({
  pluginid: code,
  alertRef: code.nullish(),
  name: text,
  alert: text,
  riskcode: number(3),
  confidence: number(4),
  count: text.catch(null),
  cweid: code.nullish(),
  solution: text,
  desc: text.catch(null),
  otherinfo: text.catch(null),
  reference: text.catch(null),
  tags: z.array(z.unknown()).nullish().catch(null),
  instances: z.array(instance).nullish(),
});

/** What the XML report is read for. */
const textFields = {
  alertitem: Object.keys(alert.omit({ instances: true, tags: true }).shape),
  instance: Object.keys(instance.shape),
};

/** Alerts are read one by one. */
const site = z.object({ '@name': z.string(), alerts: z.array(z.unknown()) });
const report = z.object({
  '@version': z.string(),
  site: z.array(site).min(1, 'must name a site: nothing was scanned'),
});

export type ZapAlert = z.infer<typeof alert>;

/** One site of a report. */
export interface ZapSite {
  readonly origin: string;
  readonly alerts: readonly ZapAlert[];
}

/** The sites of a report in JSON, or in XML as text. A site that comes twice is one. Other requests are served meanwhile. */
export async function readZap(given: Report): Promise<ZapSite[]> {
  const document = typeof given === 'string' ? await readZapXml(given, textFields) : given;
  const read = parseReport('running_app', report, document);
  const count = read.site.reduce((sum, { alerts }) => sum + alerts.length, 0);
  checkCount('running_app', 'site', count, 'alerts');
  const yieldNow = yieldToEventLoop();
  const sites = new Map<string, ZapAlert[]>();
  for (const [siteAt, { '@name': name, alerts }] of read.site.entries()) {
    const origin = originOf(name);
    if (origin === null) throw unreadableReport('running_app', `site.${siteAt}.@name`, 'must be the address of a site');
    const known = sites.get(origin) ?? [];
    const parsed = parseEach('running_app', alert, alerts, `site.${siteAt}.alerts`, yieldNow);
    for await (const each of parsed) known.push(each);
    sites.set(origin, known);
  }
  return [...sites].map(([origin, alerts]) => ({ origin, alerts }));
}
