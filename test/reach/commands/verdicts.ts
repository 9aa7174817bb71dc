import type * as z from 'zod';
import type { procedures } from '../../../src/procedures/index.js';
import type { ScriptedAnswer } from '../recording-service.js';

type WireVerdict = z.input<typeof procedures.reachability.listVerdicts.output>['items'][number];

/** A verdict as the service answers it. */
export function verdict(cve: string, more: Partial<WireVerdict> = {}): WireVerdict {
  const machine = {
    effective_priority: 62.2,
    band: 'likely_exploitable' as const,
    risk: 73.1,
    usage_factor: 0.85,
    exposure_factor: 1,
    raised_to_floor: null,
    formula: 'ep-2',
    computed_at: '2026-01-02T03:04:05.000Z',
  };
  return {
    id: `vrd_${cve}`,
    project_id: 'prj_1',
    alert_id: `alr_${cve}`,
    cve,
    advisory_ids: ['GHSA-jf85-cpcp-j695'],
    package: { ecosystem: 'npm', name: 'lodash', purl: 'pkg:npm/lodash' },
    versions: ['4.17.11'],
    effective_priority: machine.effective_priority,
    band: machine.band,
    machine,
    evidence: {
      usage: {
        class: 'imported',
        confidence: 'high',
        vulnerable_symbols: [],
        symbols: 'none_known',
        sites: [{ file: 'src/a b.js', line: 12, column: 8, symbols: ['merge'] }],
        site_count: 3,
        paths: [['pkg:npm/lodash@4.17.11']],
        chain: [],
        searched: true,
        gaps: [],
        analyser: 'reach 9.8.7',
        reported_at: '2026-01-02T03:04:05.000Z',
      },
      exploit: {
        severity: 'critical',
        cvss: { version: '3.1', score: 9.1, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:H' },
        attack_vector: 'N',
        epss: null,
        kev: null,
        kev_catalogue: null,
      },
      exposure: 'internet',
    },
    reasoning: '`lodash` 4.17.11 is imported in `src/a b.js:12` and 2 more places.',
    override: null,
    revision: 1,
    ...more,
  };
}

export function page(
  items: readonly WireVerdict[],
  more: { next_cursor?: string; total?: number } = {},
): ScriptedAnswer {
  return {
    status: 200,
    body: {
      ...{ items, page: 1, page_size: 100, total: items.length, has_more: 'next_cursor' in more, coverage: null },
      ...{ next_cursor: null, as_of: '2026-01-01T00:00:00.000Z', ...more },
    },
  };
}
