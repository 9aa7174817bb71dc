import * as z from 'zod';
import { originOf } from '../app-scan.js';
import type { Intake } from '../intake.js';
import { count, listOf, requiredText, text } from '../lenient.js';
import { checkCount, parseReport } from '../parse-report.js';
import { reportTime } from '../report-time.js';
import type { Report } from '../scanner.js';
import { readZapXml } from './xml.js';

/**
 * ZAP's traditional JSON report (https://www.zaproxy.org/docs/desktop/addons/report-generation/report-traditional-json/)
 * as far as findings need it. Its XML report has the same parts, and is read into this shape.
 */
const code = (max: number) =>
  z
    .union([z.string().regex(/^\d{1,9}$/, 'must be a number'), z.int().min(0)])
    .transform(Number)
    .refine((value) => value <= max, `must be at most ${max}`);

const instance = z.object({ uri: text, method: text, param: text, attack: text, evidence: text });

const alert = z.object({
  pluginid: requiredText,
  alertRef: text,
  name: text,
  alert: text,
  riskcode: code(3),
  confidence: code(4),
  count,
  cweid: text,
  desc: text,
  solution: text,
  otherinfo: text,
  reference: text,
  tags: listOf(z.unknown()),
  instances: listOf(instance),
});

/** What the XML report is read for. */
const textFields = {
  alertitem: Object.keys(alert.omit({ instances: true, tags: true }).shape),
  instance: Object.keys(instance.shape),
};

const site = z.object({
  '@name': z.string().refine((name) => originOf(name) !== null, 'must be the address of a site'),
  /** Read one by one. */
  alerts: z.array(z.unknown()),
});

const report = z.object({
  '@version': z.string(),
  /** Without a zone, as `Sun, 28 Jun 2020 18:22:42`. Newer versions also have `created`, with one. */
  '@generated': text,
  created: text,
  site: z
    .union([z.array(z.unknown()), z.record(z.string(), z.unknown()).transform((only) => [only])])
    .refine((sites) => sites.length > 0, 'must name a site: nothing was scanned'),
});

export type ZapAlert = z.infer<typeof alert>;

/** One site of a report. */
interface ZapSite {
  readonly origin: string;
  readonly alerts: readonly ZapAlert[];
  /** Each of its alerts could be read. */
  readonly complete: boolean;
}

export interface ZapReport {
  readonly sites: readonly ZapSite[];
  readonly reportedAt: Date | null;
}

/** The sites of a report in JSON, or in XML as text. A site that comes twice is one. Other requests are served meanwhile. */
export async function readZap(given: Report, intake: Intake): Promise<ZapReport> {
  const document = typeof given === 'string' ? await readZapXml(given, textFields) : given;
  const read = parseReport('running_app', report, document);
  checkCount(
    'running_app',
    'site',
    read.site.reduce<number>((sum, each) => sum + rowsOf(each), 0),
    'alerts',
  );
  const sites = new Map<string, { readonly alerts: ZapAlert[]; complete: boolean }>();
  for (const [siteAt, each] of read.site.entries()) {
    const found = intake.part(site, each, ['site', siteAt], rowsOf(each));
    const origin = found === null ? null : originOf(found['@name']);
    if (found === null || origin === null) continue;
    const known = sites.get(origin) ?? { alerts: [], complete: true };
    const before = intake.skipped;
    for await (const row of intake.rows(alert, found.alerts, ['site', siteAt, 'alerts'])) known.alerts.push(row);
    if (intake.skipped > before) known.complete = false;
    sites.set(origin, known);
  }
  intake.requireReadable([...sites.values()].some(({ complete }) => complete));
  return {
    sites: [...sites].map(([origin, each]) => ({ origin, ...each })),
    reportedAt: reportTime(read.created ?? read['@generated']),
  };
}

function rowsOf(given: unknown): number {
  const parsed = z.object({ alerts: z.array(z.unknown()) }).safeParse(given);
  return parsed.data?.alerts.length ?? 0;
}
