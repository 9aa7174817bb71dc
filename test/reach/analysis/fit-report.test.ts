import { describe, expect, test } from 'vitest';
import { usageReport } from '../../../src/procedures/usage-report.js';
import { assemble } from '../../../src/reach/analysis/assemble.js';
import { fitReport } from '../../../src/reach/analysis/fit-report.js';
import { reasonsOf } from '../../../src/reach/analysis/found-gap.js';
import { searchedEcosystems } from '../../../src/reach/analysis/searched-ecosystems.js';
import type { WireReport } from '../../../src/reach/analysis/site-evidence.js';
import { gap, lockfile, use } from './locked.js';

function reportOn(count: number, sitesOfEach: number): WireReport {
  const names = Array.from({ length: count }, (_, i) => `p${String(i).padStart(4, '0')}`);
  const packages = Object.fromEntries([
    ...names.map((name) => [`${name}@1.0.0`, { direct: true, needs: [`${name}-needs@1.0.0`] }] as const),
    ...names.map((name) => [`${name}-needs@1.0.0`, {}] as const),
    ['unused@1.0.0', { direct: true }] as const,
  ]);
  const uses = names.flatMap((name) =>
    Array.from({ length: sitesOfEach }, (_, line) =>
      use(name, { file: `src/a/long/enough/path/${name}.ts`, line: line + 1, symbols: ['one', 'two', 'three'] }),
    ),
  );
  return {
    schema: 'reach/1',
    tool: { name: 'reach', version: '1.0.0' },
    generated_at: '2026-01-02T03:04:05.000Z',
    commit: null,
    lockfiles: [],
    stats: { files: 1, bytes: 1, parse_errors: 0, skipped: 0, unresolved: 0, unknown_dynamic: 0, duration_ms: 1 },
    entries: [],
    complete: true,
    dependencies: assemble([lockfile(packages)], uses).dependencies,
  };
}

const bytes = (report: WireReport) => Buffer.byteLength(JSON.stringify(report));

describe('a report that is too large', () => {
  const report = reportOn(50, 50);

  test('that fits stays as it is', () => {
    expect(fitReport(report)).toBe(report);
  });

  test('lists less of every dependency, evenly, and says so', () => {
    const fitted = fitReport(report, bytes(report) / 3);
    expect(bytes(fitted)).toBeLessThanOrEqual(bytes(report) / 3);
    expect(usageReport.safeParse(fitted).success).toBe(true);
    expect(fitted.complete).toBe(true);
    expect(fitted.dependencies).toHaveLength(101);
    const used = fitted.dependencies.filter(({ usage }) => usage === 'reached');
    expect(new Set(used.map(({ sites }) => sites.length))).toEqual(new Set([12]));
    expect(used.every(({ truncated, counts }) => truncated && counts.prod === 50)).toBe(true);
    expect(fitted.dependencies.find(({ purl }) => purl.includes('unused'))?.truncated).toBe(false);
  });

  test('leaves out, when nothing else does, what verdicts lose the least by', () => {
    const fitted = fitReport(report, 25_000);
    expect(bytes(fitted)).toBeLessThanOrEqual(25_000);
    const usages = fitted.dependencies.map(({ usage }) => usage);
    expect(usages.filter((usage) => usage === 'reached')).toHaveLength(50);
    expect(usages).toContain('unused');
    expect(usages.filter((usage) => usage === 'transitive').length).toBeLessThan(50);
  });

  test('keeps a reason of each search that is not complete, and how many gaps there are', () => {
    const gaps = Array.from({ length: 300 }, (_, line) => ({ ...gap, line: line + 1, hidden: 1 }));
    const reasons = reasonsOf(gaps);
    const chain = Array.from({ length: 20 }, () => ({ purl: null, file: 'src/a.ts', line: 1 }));
    const unsure: WireReport = {
      ...report,
      complete: false,
      ecosystems: searchedEcosystems([{ usage: 'unused', gaps: reasons, ecosystem: 'npm' }], gaps, [], new Map()),
      dependencies: report.dependencies.map((each) => ({ ...each, gaps: reasons, chain })),
    };
    expect(unsure.ecosystems?.[0]).toMatchObject({ gap_count: 300, judged: 0, gaps: { length: 200 } });
    const fitted = fitReport(unsure, bytes(unsure) / 8);
    expect(bytes(fitted)).toBeLessThanOrEqual(bytes(unsure) / 8);
    expect(usageReport.safeParse(fitted).success).toBe(true);
    expect(fitted.ecosystems?.[0]?.gap_count).toBe(300);
    expect(fitted.ecosystems?.[0]?.gaps.length).toBeLessThan(200);
    for (const { gaps: kept, chain: short } of fitted.dependencies) {
      expect(kept).toEqual(reasons.slice(0, 1));
      expect(short).toBeUndefined();
    }
  });
});
