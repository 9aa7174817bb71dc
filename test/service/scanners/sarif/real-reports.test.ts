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

/** What each report has: results in all, of which suppressed; open ones by tier. */
const reports: readonly (readonly [file: string, total: number, suppressed: number, tiers: readonly number[]])[] = [
  ['SuppressionTestCurrent.sarif', 4, 3, [0, 1, 0]],
  ['appendix_k.sarif', 1, 1, [0, 0, 0]],
  ['appendix_k1.sarif', 0, 0, [0, 0, 0]],
  ['bash-report.sarif', 27, 0, [0, 0, 27]],
  ['dockle_0_3_15.sarif', 4, 0, [1, 0, 3]],
  ['gitleaks_7.5.0.sarif', 8, 0, [0, 8, 0]],
  ['semgrepowasp-benchmark-sample.sarif', 1768, 0, [0, 1768, 0]],
];

const lines = z.looseObject({ startLine: z.number().optional(), endLine: z.number().optional() });
const report = z.looseObject({
  runs: z.array(
    z.looseObject({
      tool: z.looseObject({
        driver: z.looseObject({
          rules: z
            .array(
              z.looseObject({ id: z.string(), defaultConfiguration: z.looseObject({ level: z.string() }).optional() }),
            )
            .optional(),
        }),
      }),
      results: z.array(
        z.looseObject({
          ruleId: z.string().optional(),
          level: z.string().optional(),
          suppressions: z.array(z.unknown()).optional(),
          locations: z
            .array(z.looseObject({ physicalLocation: z.looseObject({ region: lines.optional() }) }))
            .optional(),
        }),
      ),
    }),
  ),
});

const tierOfLevel = new Map([
  ['error', 'red'],
  ['warning', 'yellow'],
  ['note', 'green'],
  ['none', 'green'],
]);

/** A count of its own, over the bare JSON: no report here has `security-severity` or kinds other than `fail`. */
function counted(text: string) {
  const tiers = new Map([
    ['red', 0],
    ['yellow', 0],
    ['green', 0],
  ]);
  let [total, suppressed] = [0, 0];
  for (const { tool, results } of report.parse(JSON.parse(text)).runs) {
    const levels = new Map((tool.driver.rules ?? []).map((rule) => [rule.id, rule.defaultConfiguration?.level]));
    for (const each of results) {
      total += 1;
      if ((each.suppressions ?? []).length > 0) suppressed += 1;
      else {
        const tier = tierOfLevel.get(each.level ?? levels.get(each.ruleId ?? '') ?? 'warning') ?? '';
        tiers.set(tier, (tiers.get(tier) ?? 0) + 1);
      }
    }
  }
  return { total, suppressed, tiers: Object.fromEntries(tiers) };
}

describe.skipIf(!hasData)('real SARIF reports', () => {
  test('are all in the table', () => {
    expect(readdirSync(dataFile('sarif')).sort()).toEqual(reports.map(([file]) => file).sort());
  });

  test.each(reports)('%s: %i findings, %i suppressed', async (file, total, suppressed, tiers) => {
    const text = reportText(`sarif/${file}`);
    const own = counted(text);
    const project = await newScannedProject(service);
    const uploaded = await project.uploadSarif(text);
    expect(uploaded.findings).toEqual({
      total,
      new: total - suppressed,
      reopened: 0,
      fixed: 0,
      unchanged: 0,
      suppressed,
    });
    expect(own).toEqual({ total, suppressed, tiers: uploaded.tiers });
    expect(Object.values(uploaded.tiers)).toEqual(tiers);
    expect(await project.codeFindings('&state=all')).toMatchObject({ total });
    expect(await project.codeFindings()).toMatchObject({ total: total - suppressed });
    expect(await project.codeJobs()).toMatchObject({ total: 1, items: [{ status: 'done', tiers: uploaded.tiers }] });
    expect(await project.uploadSarif(text)).toMatchObject({ duplicate: true, scan_job_id: uploaded.scan_job_id });
  });

  test('know the same findings again below 30 inserted lines, one that went, and one that came back', async () => {
    const semgrep = report.parse(JSON.parse(reportText('sarif/semgrepowasp-benchmark-sample.sarif')));
    const project = await newScannedProject(service);
    expect(await project.uploadSarif(semgrep)).toMatchObject({ findings: { new: 1768 } });
    const regions = semgrep.runs
      .flatMap(({ results }) => results.flatMap(({ locations }) => locations ?? []))
      .map(({ physicalLocation }) => physicalLocation.region)
      .filter((region) => region !== undefined);
    expect(regions).toHaveLength(1768);
    for (const region of regions) {
      region.startLine = Number(region.startLine) + 30;
      region.endLine = Number(region.endLine) + 30;
    }
    const all = { total: 1768, new: 0, reopened: 0, fixed: 0, unchanged: 1768, suppressed: 0 };
    expect(await project.uploadSarif(semgrep)).toMatchObject({ duplicate: false, findings: all });

    const [removed] = semgrep.runs[0]?.results.splice(700, 1) ?? [];
    if (removed === undefined) throw new Error('the report has no 701 results');
    const gone = await project.uploadSarif(semgrep);
    expect(gone.findings).toEqual({ ...all, total: 1767, fixed: 1, unchanged: 1767 });
    expect(await project.codeFindings('&state=fixed')).toMatchObject({
      total: 1,
      items: [{ rule_id: removed.ruleId }],
    });

    semgrep.runs[0]?.results.unshift(removed);
    const back = await project.uploadSarif(semgrep);
    expect(back.findings).toEqual({ ...all, reopened: 1, unchanged: 1767 });
    expect(await project.codeFindings('&state=fixed')).toMatchObject({ total: 0 });
    expect(await project.codeFindings()).toMatchObject({ total: 1768 });
  });
});
