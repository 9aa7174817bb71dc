import type * as z from 'zod';
import type { usageReport } from '../../../src/procedures/usage-report.js';

export type WireReport = z.input<typeof usageReport>;
export type WireDependency = WireReport['dependencies'][number];

/** A dependency of a report: reached or imported ones have one site in production code. */
export function dependency(
  purl: string,
  usage: WireDependency['usage'],
  more: Partial<WireDependency> = {},
): WireDependency {
  const inProduction = usage === 'reached' || usage === 'imported';
  const imported = inProduction || usage === 'tooling' || usage === 'type_only';
  const role = inProduction || usage === 'type_only' ? ('prod' as const) : ('test' as const);
  return {
    purl,
    scope: 'runtime',
    direct: usage !== 'transitive',
    usage,
    counts: {
      prod: role === 'prod' && imported ? 1 : 0,
      reached: usage === 'reached' ? 1 : 0,
      test: role === 'test' && imported ? 1 : 0,
      config: 0,
      script: 0,
      type: usage === 'type_only' ? 1 : 0,
      mock: 0,
    },
    sites: imported
      ? [
          {
            file: role === 'prod' ? 'src/a.ts' : 'test/a.test.ts',
            line: 12,
            column: 8,
            kind: 'import',
            role,
            reached: usage === 'reached',
            type_only: usage === 'type_only',
            subpath: null,
            symbols: ['merge'],
          },
        ]
      : [],
    symbols: inProduction ? ['merge'] : [],
    symbols_complete: true,
    introduced_by: [],
    paths: usage === 'transitive' ? [['pkg:npm/grunt@1.0.0', purl]] : [],
    evidence: imported ? 'import' : usage === 'mentioned' ? 'mention' : usage === 'transitive' ? 'graph' : 'none',
    truncated: false,
    ...more,
  };
}

/** A complete report of the dependencies. */
export function report(dependencies: WireDependency[], more: Partial<WireReport> = {}): WireReport {
  return {
    schema: 'reach/1',
    tool: { name: 'reach', version: '0.1.0' },
    generated_at: '2026-01-02T03:04:05.000Z',
    commit: 'c5cb68a7084e4ae7dcc60e6a98768720a81841e8',
    lockfiles: [{ path: 'package-lock.json', sha256: 'a'.repeat(64) }],
    stats: { files: 1, bytes: 100, parse_errors: 0, skipped: 0, unresolved: 0, unknown_dynamic: 0, duration_ms: 1.5 },
    entries: [{ file: 'src/a.ts', why: 'package.json main' }],
    complete: true,
    dependencies,
    ...more,
  };
}
