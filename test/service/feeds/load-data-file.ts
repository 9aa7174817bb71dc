import { basename } from 'node:path';
import type { Database } from '../../../src/service/db/database.js';
import type { FeedKind } from '../../../src/service/feeds/feed.js';
import { loadFeed } from '../../../src/service/feeds/load.js';
import { reconcileWith } from '../../../src/service/feeds/load-context.js';
import { dataFile } from '../../support/data.js';

/** Loads a file of the test data as `postern feeds load` does. */
export function loadDataFile(database: Database, kind: FeedKind, path: string) {
  const name = basename(path);
  const request = { kind, file: { path: dataFile(path), name }, part: name, onBad: 'refuse', validator: null } as const;
  return loadFeed({ database, reconcile: reconcileWith(database) }, request);
}
