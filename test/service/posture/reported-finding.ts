import { createHash } from 'node:crypto';
import type { ReportedFinding } from '../../../src/service/findings/scan.js';

/** A RED finding whose details have what every domain's have. */
export function reportedFinding(name: string, more: Partial<ReportedFinding> = {}): ReportedFinding {
  return {
    tool: 'scanner',
    seer: { tool: 'scanner', scope: [] },
    identity: createHash('sha256').update(name).digest(),
    rule_id: name,
    title: `finding ${name}`,
    severity: 'high',
    tier: 'RED',
    suppressed: false,
    cve: null,
    epss: null,
    kev_added: null,
    ...more,
    details: {
      ...{ message: 'any', file: 'src/a.ts', line: 1, cwes: [], help_url: null, in_production: false },
      ...{ package: { name: 'openssl', version: '1', type: 'deb' }, path: null, fixed_version: null, layers: null },
      ...{ cvss_score: null, label: null, cves: [], epss: null, kev: null },
      ...more.details,
    },
  };
}
