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
    tenant: (organisationId, work, changeSet) => database.tenant(organisationId, withPlugin(work), changeSet),
    system: (work) => database.system(withPlugin(work)),
    close: () => database.close(),
  };
}
