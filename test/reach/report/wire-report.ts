import type { WireDependency, WireReport } from '../../../src/reach/analysis/site-evidence.js';

/** A report of one package, as it is in JSON. */
export function wireReport(more: Partial<WireReport> = {}): WireReport {
  return {
    schema: 'reach/1',
    tool: { name: 'reach', version: '9.8.7' },
    generated_at: '2026-01-02T03:04:05.000Z',
    commit: null,
    lockfiles: [{ path: 'package-lock.json', sha256: '0'.repeat(64) }],
    stats: {
      files: 3,
      bytes: 100,
      parse_errors: 0,
      searched: 0,
      skipped: 0,
      unresolved: 0,
      unknown_dynamic: 0,
      duration_ms: 5,
    },
    entries: [{ file: 'app.ts', why: 'main' }],
    complete: true,
    dependencies: [dependency()],
    ...more,
  };
}

export function dependency(more: Partial<WireDependency> = {}): WireDependency {
  return {
    purl: 'pkg:npm/qs@6.5.2',
    scope: 'runtime',
    direct: false,
    usage: 'loaded',
    counts: { prod: 0, reached: 0, test: 0, config: 0, script: 0, type: 0, mock: 0 },
    sites: [],
    symbols: [],
    symbols_complete: true,
    introduced_by: [],
    paths: [],
    evidence: 'graph',
    truncated: false,
    ...more,
  };
}

/** How an application loads qs: two of the files are of one package. */
export const chainToQs = [
  { purl: null, file: 'src/app.ts', line: 12 },
  { purl: 'pkg:npm/express@4.17.1', file: 'index.js', line: 3 },
  { purl: 'pkg:npm/express@4.17.1', file: 'lib/express.js', line: 15 },
  { purl: 'pkg:npm/body-parser@1.19.0', file: 'lib/types/urlencoded.js', line: 20 },
  { purl: 'pkg:npm/qs@6.5.2', file: 'lib/index.js', line: null },
];
