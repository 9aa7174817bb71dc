import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../db/database.js';
import { loadFeed } from '../feeds/load.js';
import { reconcileWith } from '../feeds/load-context.js';
import { sampleAdvisories } from './advisories.js';
import { sampleEpss, sampleKev } from './exploitation.js';

/** Loads the sample's intelligence with the loader of real feeds, from temporary files. */
export async function loadSampleIntelligence(database: Database, dataDir: string): Promise<void> {
  const folder = await mkdtemp(join(dataDir, 'sample-'));
  const feeds = [
    { kind: 'osv', name: 'sample.ndjson', text: sampleAdvisories.map((record) => JSON.stringify(record)).join('\n') },
    { kind: 'epss', name: 'epss.csv', text: sampleEpss },
    { kind: 'kev', name: 'kev.json', text: JSON.stringify(sampleKev) },
  ] as const;
  try {
    for (const { kind, name, text } of feeds) {
      const path = join(folder, name);
      await writeFile(path, text);
      await loadFeed(
        { database, reconcile: reconcileWith(database) },
        // A handful of advisories covers no ecosystem.
        { kind, part: 'sample', file: { path, name }, onBad: 'refuse', covers: [], validator: null },
      );
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
