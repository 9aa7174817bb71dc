import type { ScanResult } from '../findings/scan.js';

/** The sums of the scans of one report, with the id of the one with the most findings. */
export function sumOfScans(results: readonly ScanResult[]): ScanResult {
  return results
    .toSorted((a, b) => b.findings.total - a.findings.total)
    .reduce((sum, { findings, tiers, duplicate, note }) => ({
      scan_job_id: sum.scan_job_id,
      note: sum.note ?? note,
      duplicate: sum.duplicate && duplicate,
      findings: added(sum.findings, findings),
      tiers: added(sum.tiers, tiers),
    }));
}

function added<Counts extends Record<string, number>>(sum: Counts, more: Counts): Counts {
  const counts = { ...sum };
  for (const [key, count] of Object.entries(more)) Object.assign(counts, { [key]: (sum[key] ?? 0) + count });
  return counts;
}
