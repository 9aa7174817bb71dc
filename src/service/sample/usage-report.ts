/** Import sites by role, for a package that no file names. */
const none = { prod: 0, reached: 0, test: 0, config: 0, script: 0, type: 0, mock: 0 };

interface Use {
  readonly usage: string;
  readonly file?: string;
  readonly line?: number;
  readonly symbols?: readonly string[];
  readonly path?: readonly string[];
  readonly gaps?: readonly string[];
  readonly chain?: readonly { readonly purl: string | null; readonly file: string; readonly line: number | null }[];
}

function dependency(purl: string, { usage, file, line = 1, symbols = [], path, gaps = [], chain = [] }: Use) {
  const reached = usage === 'reached';
  const role = usage === 'tooling' ? 'test' : 'prod';
  return {
    purl,
    scope: 'runtime',
    direct: path === undefined,
    usage,
    counts: file === undefined ? none : { ...none, [role]: 1, reached: reached ? 1 : 0 },
    sites:
      file === undefined
        ? []
        : [{ file, line, column: 1, kind: 'import', role, reached, type_only: false, subpath: null, symbols }],
    symbols: role === 'prod' ? symbols : [],
    symbols_complete: true,
    introduced_by: path?.slice(0, 1) ?? [],
    paths: path === undefined ? [] : [path],
    evidence: file !== undefined ? 'import' : path !== undefined ? 'graph' : 'none',
    gaps,
    chain,
    truncated: false,
  };
}

const log4j = 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1';
const minimatch = 'pkg:npm/minimatch@3.0.4';

const glob = 'pkg:npm/glob@7.1.6';
const request = 'pkg:npm/request@2.88.2';

/**
 * How the sample's source uses its packages, so that there is a verdict of each class. What came after the report is not in it.
 * In wire form; `generated_at` is added later.
 */
export const sampleUsageReport = {
  schema: 'reach/1',
  tool: { name: 'reach', version: '0.1.0' },
  commit: null,
  lockfiles: [],
  stats: { files: 42, bytes: 180_000, parse_errors: 0, skipped: 0, unresolved: 0, unknown_dynamic: 1, duration_ms: 38 },
  entries: [{ file: 'src/server.ts', why: 'package.json main' }],
  complete: false,
  dependencies: [
    dependency(log4j, {
      usage: 'reached',
      file: 'search/src/main/java/shop/Search.java',
      line: 3,
      symbols: ['Logger'],
    }),
    dependency('pkg:npm/lodash@4.17.11', {
      usage: 'reached',
      file: 'src/cart/merge-cart.ts',
      line: 2,
      symbols: ['defaultsDeep', 'sumBy'],
    }),
    dependency('pkg:npm/express@4.18.2', { usage: 'reached', file: 'src/server.ts', symbols: ['default'] }),
    dependency('pkg:npm/next@14.1.0', { usage: 'imported', file: 'src/pages/checkout.tsx', line: 4 }),
    dependency('pkg:npm/axios@1.5.0', {
      usage: 'unused',
      gaps: ['src/payment/client.ts:8 imports what only a run can say'],
    }),
    dependency('pkg:npm/marsdb@0.6.11', { usage: 'unused' }),
    dependency(minimatch, {
      usage: 'loaded',
      path: [glob, minimatch],
      chain: [
        { purl: null, file: 'src/server.ts', line: 6 },
        { purl: glob, file: 'glob.js', line: 44 },
        { purl: minimatch, file: 'minimatch.js', line: null },
      ],
    }),
    dependency('pkg:npm/cross-spawn@7.0.3', { usage: 'tooling', file: 'scripts/release.ts', line: 2 }),
    dependency(request, { usage: 'not_loaded', path: ['pkg:npm/jsdom@16.0.0', request] }),
  ],
};
