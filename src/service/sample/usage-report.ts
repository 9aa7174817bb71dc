/** Import sites by role, for a package that no file names. */
const none = { prod: 0, reached: 0, test: 0, config: 0, script: 0, type: 0, mock: 0 };

interface Use {
  readonly usage: string;
  readonly file?: string;
  readonly line?: number;
  readonly symbols?: readonly string[];
  readonly path?: readonly string[];
}

function dependency(purl: string, { usage, file, line = 1, symbols = [], path }: Use) {
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
    truncated: false,
  };
}

const log4j = 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1';
const minimatch = 'pkg:npm/minimatch@3.0.4';

/** How the sample's source uses its packages, each usage at least once. In wire form; `generated_at` is added later. */
export const sampleUsageReport = {
  schema: 'reach/1',
  tool: { name: 'reach', version: '0.1.0' },
  commit: null,
  lockfiles: [],
  stats: { files: 42, bytes: 180_000, parse_errors: 0, skipped: 0, unresolved: 0, unknown_dynamic: 0, duration_ms: 38 },
  entries: [{ file: 'src/server.ts', why: 'package.json main' }],
  complete: true,
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
    dependency('pkg:npm/systeminformation@5.2.0', { usage: 'tooling', file: 'test/health.test.ts', line: 5 }),
    dependency('pkg:npm/axios@1.5.0', { usage: 'imported', file: 'src/payment/client.ts', symbols: ['default'] }),
    dependency('pkg:npm/marsdb@0.6.11', { usage: 'unused' }),
    dependency(minimatch, { usage: 'transitive', path: ['pkg:npm/glob@7.1.6', minimatch] }),
    dependency('pkg:npm/cross-spawn@7.0.3', { usage: 'tooling', file: 'scripts/release.ts', line: 2 }),
    dependency('pkg:npm/request@2.88.2', { usage: 'unused' }),
  ],
};
