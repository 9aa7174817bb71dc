import path from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { databaseTests } from './test/support/database-tests.js';

/** The tests of a module, by the folders of `test` that have them. `npm test -- --project reach` runs one. */
const folders = {
  core: ['shared', 'procedures', 'verdict'],
  gateway: ['gateway', 'client', 'clients'],
  reach: ['reach'],
  service: ['service'],
  web: ['web', 'browser'],
};

const modules = Object.entries(folders).map(([name, of]) => ({ name, include: of.map(testsIn) }));

/**
 * Tests of all together: the built programs, what is deployed, the documents, and each folder that has no place above. Projects run in the
 * order of their names, and these wait most for programs, so they come first.
 */
const app = {
  name: 'app',
  include: ['test/**/*.test.ts'],
  exclude: [...configDefaults.exclude, ...modules.flatMap(({ include }) => include)],
};

/** Those of the service that use a database run on a PostgreSQL too where there is one. */
const postgres = { name: 'postgres', include: databaseTests(path.resolve(import.meta.dirname, 'test/service')) };

export default defineConfig({
  test: {
    // Runs once for all projects: builds the programs, and prepares an empty database.
    globalSetup: ['test/support/global-setup.ts'],
    // A missing snapshot fails; -u writes it.
    update: 'none',
    projects: [app, ...modules, ...(process.env['TEST_DATABASE_URL'] ? [postgres] : [])].map((project) => ({
      test: {
        ...project,
        provide: { databaseKind: project === postgres ? ('postgres' as const) : ('embedded' as const) },
        pool: 'forks' as const,
        // A worker opens its database once, for all its test files.
        isolate: false,
        // Two more than the cores of a small machine: tests wait for processes, browsers and databases a third of their time.
        maxWorkers: 4,
        // Speed is measured in bench/: these only end what hangs, on a loaded machine too.
        testTimeout: 600_000,
        hookTimeout: 600_000,
      },
    })),
  },
});

function testsIn(folder: string): string {
  return `test/${folder}/**/*.test.ts`;
}
