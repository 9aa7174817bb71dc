import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { databaseTests } from './test/support/database-tests.js';

/** All tests once; with TEST_DATABASE_URL those of the service that use a database run on that PostgreSQL too. */
const databases = [
  { kind: 'embedded' as const, include: ['test/**/*.test.ts'] },
  ...(process.env['TEST_DATABASE_URL']
    ? [{ kind: 'postgres' as const, include: databaseTests(path.resolve(import.meta.dirname, 'test/service')) }]
    : []),
];

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // A worker opens its database once, for all its test files.
    isolate: false,
    // Two more than the cores of a small machine: tests wait for processes, browsers and databases a third of their time.
    maxWorkers: 4,
    // Speed is measured in bench/: these only end what hangs, on a loaded machine too.
    // A missing snapshot fails; -u writes it.
    update: 'none',
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: databases.map(({ kind, include }) => ({
      extends: true as const,
      test: { name: kind, include, provide: { databaseKind: kind } },
    })),
  },
});
