// Runs tests with programs of others: `node scripts/outside.js clients`. Their packages have lock files of their own, are installed here
// and without install scripts, and nothing else needs them.
import { runAll } from './run-all.js';

const groups = {
  clients: {
    packages: ['test/clients/foreign', 'test/clients/openapi'],
    types: ['test/clients/foreign'],
    tests: 'test/clients',
  },
  conformance: { packages: ['test/mcp-suite'], types: [], tests: 'test/mcp-suite' },
  tools: { packages: ['test/tools'], types: [], tests: 'test/tools' },
};

const [name = '', ...args] = process.argv.slice(2);
const group = groups[name];
if (group === undefined) throw new Error(`name one of ${Object.keys(groups).join(', ')}`);
const quiet = '--ignore-scripts --no-audit --no-fund --loglevel=error';
runAll([
  ...group.packages.map((folder) => `npm install --prefix ${folder} ${quiet}`),
  ...group.types.map((folder) => `tsc --project ${folder}`),
  `vitest run --config vitest.outside.config.ts ${[group.tests, ...args].join(' ')}`,
]);
