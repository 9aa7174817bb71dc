import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { dataFile, hasData } from '../../../support/data.js';
import { startService, type TestService } from '../../../support/service.js';
import { newScannedProject, reportText } from '../../findings/scanned-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** What each report has: sites, alerts in all, and open ones by tier. */
const reports: readonly (readonly [file: string, sites: number, total: number, tiers: readonly number[]])[] = [
  ['bodgeit-baseline.json', 1, 20, [0, 4, 16]],
  ['bodgeit-full.json', 2, 44, [1, 16, 27]],
  ['dvwa_baseline_dojo.xml', 1, 19, [0, 4, 15]],
  ['juice-shop-baseline.json', 1, 13, [0, 3, 10]],
  ['juicy2.xml', 1, 6, [0, 2, 4]],
  ['scb-juice-shop.xml', 1, 12, [0, 3, 9]],
  ['zap_2.16.1_with_req_resp.xml', 1, 4, [0, 0, 4]],
];

const json = z.object({
  site: z.array(
    z.object({
      '@name': z.string(),
      alerts: z.array(z.object({ riskcode: z.string(), confidence: z.string(), instances: z.array(z.unknown()) })),
    }),
  ),
});

interface Counted {
  readonly sites: string[];
  readonly alerts: readonly { readonly risk: string; readonly confidence: string; readonly instances: number }[];
}

/** A count of its own: over the bare JSON, or by patterns over the text of the XML. */
function counted(file: string, text: string): Counted {
  if (file.endsWith('.json')) {
    const { site } = json.parse(JSON.parse(text));
    const alerts = site.flatMap((each) => each.alerts);
    return {
      sites: site.map((each) => each['@name']),
      alerts: alerts.map(({ riskcode, confidence, instances }) => ({
        risk: riskcode,
        confidence,
        instances: instances.length,
      })),
    };
  }
  return {
    sites: [...text.matchAll(/<site\s+name="([^"]*)"/g)].map(([, name = '']) => name),
    alerts: text
      .split('<alertitem>')
      .slice(1)
      .map((alert) => ({
        risk: /<riskcode>(\d)</.exec(alert)?.[1] ?? '',
        confidence: /<confidence>(\d)</.exec(alert)?.[1] ?? '',
        instances: alert.split('<instance>').length - 1,
      })),
  };
}

function tiersOf({ alerts }: Counted) {
  const red = alerts.filter(({ risk, confidence }) => risk === '3' && confidence >= '2').length;
  const green = alerts.filter(({ risk }) => risk === '0' || risk === '1').length;
  return { red, yellow: alerts.length - red - green, green };
}

describe.skipIf(!hasData)('real ZAP reports', () => {
  test('are all in the table', () => {
    expect(readdirSync(dataFile('zap')).sort()).toEqual(reports.map(([file]) => file).sort());
  });

  test.each(reports)('%s: %i sites, %i alerts', async (file, sites, total, tiers) => {
    const text = reportText(`zap/${file}`);
    const own = counted(file, text);
    const project = await newScannedProject(service);
    const uploaded = await project.uploadZap(text);
    expect(uploaded.findings).toEqual({ total, new: total, reopened: 0, fixed: 0, unchanged: 0, suppressed: 0 });
    expect(own.sites).toHaveLength(sites);
    expect(own.alerts).toHaveLength(total);
    expect(uploaded.tiers).toEqual(tiersOf(own));
    expect(Object.values(uploaded.tiers)).toEqual(tiers);

    const { items } = await project.appFindings();
    expect(items).toHaveLength(total);
    expect(new Set(items.map(({ target_url }) => target_url))).toEqual(new Set(own.sites));
    expect(items.map(({ instances }) => instances.length).sort()).toEqual(
      own.alerts.map(({ instances }) => Math.min(instances, 20)).sort(),
    );
    for (const { instances, instance_count, solution } of items) {
      expect(instance_count).toBeGreaterThanOrEqual(instances.length);
      expect(solution ?? '').not.toMatch(/<\/?p>|&(?:amp|lt|gt|apos|quot);/);
    }
    expect(await project.appJobs()).toMatchObject({ total: sites });
    expect(await project.uploadZap(text)).toMatchObject({ duplicate: true, findings: { new: 0, unchanged: total } });
    expect(await project.appJobs()).toMatchObject({ total: sites });
  });

  test('in XML are taken as a JSON string too, and are the same', async () => {
    const project = await newScannedProject(service);
    const text = reportText('zap/juicy2.xml');
    await project.uploadZap(text);
    expect(await project.uploadZap(JSON.stringify(text))).toMatchObject({ duplicate: true });
  });

  test('lose one alert, and get it back', async () => {
    const full = json.extend({
      '@version': z.string(),
      site: z.array(z.looseObject({ alerts: z.array(z.unknown()) })),
    });
    const report = full.parse(JSON.parse(reportText('zap/bodgeit-full.json')));
    const project = await newScannedProject(service);
    await project.uploadZap(report, '?mode=full');
    const [removed] = report.site[1]?.alerts.splice(14, 1) ?? [];
    expect(await project.uploadZap(report, '?mode=full')).toMatchObject({
      findings: { fixed: 1, new: 0, unchanged: 43 },
    });
    expect(await project.appFindings('&state=fixed')).toMatchObject({ items: [{ title: 'Anti CSRF Tokens Scanner' }] });
    report.site[1]?.alerts.unshift(removed);
    expect(await project.uploadZap(report, '?mode=full')).toMatchObject({
      findings: { fixed: 0, new: 0, reopened: 1, unchanged: 43 },
    });
    const { items } = await project.appJobs();
    expect(items.map(({ mode }) => mode)).toEqual(Array.from({ length: 6 }, () => 'full'));
  });
});
