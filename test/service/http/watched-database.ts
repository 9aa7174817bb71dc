import type { KyselyPlugin, RootOperationNode } from 'kysely';
import type { Database, Transaction } from '../../../src/service/db/database.js';
import { markTenant, tenantFacts } from '../../../src/service/db/transactions.js';

/**
 * A database that shows each query to the test before it runs; a test may make it fail by throwing. `isRequest` is false for
 * the service's own work, which may run at any time.
 */
export function watched(database: Database, onQuery: (query: RootOperationNode, isRequest: boolean) => void): Database {
  const plugin = (isRequest: boolean): KyselyPlugin => ({
    transformQuery: ({ node }) => {
      onQuery(node, isRequest);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const withPlugin =
    <T>(work: (tx: Transaction) => Promise<T>, isRequest = true) =>
    (tx: Transaction) =>
      work(tx.withPlugin(plugin(isRequest)));
  const statements: Database['statements'] = (work, lane) =>
    database.statements((db) => work(db.withPlugin(plugin(true))), lane);
  return {
    statements,
    requestWaitMs: database.requestWaitMs,
    oneTransactionMs: database.oneTransactionMs,
    read: (tenant, work, options) => database.read(tenant, withPlugin(work), options),
    tenant: (tenant, work, options) =>
      database.tenant(
        tenant,
        (tx) => {
          const watched = tx.withPlugin(plugin(true));
          markTenant(watched, tenantFacts(tx));
          return work(watched);
        },
        options,
      ),
    system: (work, lane) => database.system(withPlugin(work, lane !== undefined && lane !== 'background'), lane),
    share: () => database.share(),
    callersRevision: () => database.callersRevision(),
    load: () => database.load(),
    close: () => database.close(),
  };
}
