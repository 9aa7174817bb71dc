import { defineConfig } from 'vitest/config';

/** Tests with programs of others that `npm ci` does not install: `npm run test:clients`, `npm run conformance`, `npm run test:tools`. */
export default defineConfig({
  test: {
    include: ['test/**/*.outside.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    provide: { databaseKind: 'embedded' },
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
