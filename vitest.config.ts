import { defineConfig } from 'vitest/config';

/** All tests on the embedded database; with TEST_DATABASE_URL the service's tests on that PostgreSQL too. */
const databases = [
  { kind: 'embedded' as const, include: ['test/**/*.test.ts'] },
  ...(process.env['TEST_DATABASE_URL'] ? [{ kind: 'postgres' as const, include: ['test/service/**/*.test.ts'] }] : []),
];

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // A worker opens its database once, for all its test files.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: databases.map(({ kind, include }) => ({
      extends: true as const,
      test: { name: kind, include, provide: { databaseKind: kind } },
    })),
  },
});
