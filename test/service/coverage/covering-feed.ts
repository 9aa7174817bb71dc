import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../src/service/db/database.js';
import { loadFeed } from '../../../src/service/feeds/load.js';
import { reconcileWith } from '../../../src/service/feeds/load-context.js';
import type { LoadReport } from '../../../src/service/feeds/load-report.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';
import { ndjson, osvRecord } from '../feeds/feed-files.js';

export interface CoveringFeed {
  readonly name?: string;
  readonly records?: readonly object[];
  /** Lines put in front of the records. */
  readonly broken?: readonly string[];
  /** When its newest record was modified; now if absent. */
  readonly publishedAt?: Date;
}

/** Loads a feed that has, as the operator states, all advisories of these ecosystems. For databases of one's own: feeds are global. */
export async function loadCovering(
  database: Database,
  covers: readonly Ecosystem[],
  { name = `${randomUUID()}.ndjson`, records = [], broken = [], publishedAt = new Date() }: CoveringFeed = {},
): Promise<LoadReport> {
  const modified = publishedAt.toISOString();
  const newest = osvRecord({ id: `N-${randomUUID()}`, modified, published: modified }, `newest-${randomUUID()}`);
  const lines = broken.map((line) => `${line}\n`).join('');
  const folder = await mkdtemp(join(tmpdir(), 'postern-covering-'));
  try {
    const path = join(folder, 'feed.ndjson');
    await writeFile(path, lines + ndjson([newest, ...records]));
    const file = { path, name };
    const request = { kind: 'osv', file, part: name, onBad: 'report', covers, validator: null } as const;
    return await loadFeed({ database, reconcile: reconcileWith(database) }, request);
  } finally {
    await rm(folder, { recursive: true });
  }
}
