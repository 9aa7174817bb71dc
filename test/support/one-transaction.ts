import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../../src/service/db/database.js';

const running = new AsyncLocalStorage<{ open: boolean }>();

/**
 * Refuses a transaction inside another one: on the embedded database's one connection the inner one would wait for itself, and on
 * a server it would be a separate transaction. To follow the work through its promises costs every request some time, so only tests
 * do it: each of their databases is one of these.
 */
export function oneTransactionAtATime(database: Database): Database {
  const alone = async <T>(transact: () => Promise<T>): Promise<T> => {
    if (running.getStore()?.open === true) {
      throw new Error('A transaction was opened inside another one; pass the outer one on instead.');
    }
    const scope = { open: true };
    try {
      return await running.run(scope, transact);
    } finally {
      // Work that continues after its transaction, such as a timer, may begin another one.
      scope.open = false;
    }
  };
  return {
    tenant: (tenant, work, options) => alone(() => database.tenant(tenant, work, options)),
    read: (tenant, work, options) => alone(() => database.read(tenant, work, options)),
    system: (work, lane) => alone(() => database.system(work, lane)),
    statements: (work, lane) => alone(() => database.statements(work, lane)),
    callersRevision: () => database.callersRevision(),
    requestWaitMs: database.requestWaitMs,
    oneTransactionMs: database.oneTransactionMs,
    load: () => database.load(),
    share: () => database.share(),
    close: () => database.close(),
  };
}
