import type { KyselyPlugin, RootOperationNode } from 'kysely';
import type { Database, Transaction } from '../../../src/service/db/database.js';

/** A database that shows each query to the test before it runs; a test may make it fail by throwing. */
export function watched(database: Database, onQuery: (query: RootOperationNode) => void): Database {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      onQuery(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const withPlugin =
    <T>(work: (tx: Transaction) => Promise<T>) =>
    (tx: Transaction) =>
      work(tx.withPlugin(plugin));
  return {
    requestWaitMs: database.requestWaitMs,
    atOnceMs: database.atOnceMs,
    tenant: (organisationId, work, options) => database.tenant(organisationId, withPlugin(work), options),
    system: (work, lane) => database.system(withPlugin(work), lane),
    share: () => database.share(),
    load: () => database.load(),
    close: () => database.close(),
  };
}
