import { createHash } from 'node:crypto';
import type { PackageKey } from '../alerts/tracked-packages.js';
import { noAlertCounts } from '../assessment/reassess-project.js';
import { reevaluateMonitoredImages } from '../containers/reevaluate.js';
import { fileTypeOf, printable } from './feed.js';
import { beginLoad, confirmFeed, finishLoad, readFeed } from './feeds-table.js';
import { type FeedFile, readBytes } from './file-bytes.js';
import type { LoadContext, LoadRequest } from './load-context.js';
import { loaders } from './load-kinds.js';
import { type LoadReport, noCounts } from './load-report.js';
import { keyOf } from './touched-packages.js';

/** Raised when what we keep of a record changes, so that files loaded before are read anew. */
const readingVersion = '1';

/**
 * Loads one feed file. The same content again writes nothing; a load that was broken off can be run again; two at once
 * are safe. Throws `FeedError` where the file cannot be used.
 */
export async function loadFeed(context: LoadContext, request: LoadRequest): Promise<LoadReport> {
  const { database, reconcile } = context;
  const { kind, file, validator } = request;
  fileTypeOf(kind, file.name);
  const feed = kind === 'osv' ? `osv:${printable(request.part)}` : kind;
  const contentHash = await hashFile(file);
  const stored = await database.system((tx) => readFeed(tx, feed));
  const before = {
    feed,
    kind,
    version: stored?.version ?? null,
    publishedAt: stored?.publishedAt ?? null,
    bad: [],
    alerts: noAlertCounts,
  };
  if (stored?.contentHash === contentHash) {
    // An origin that publishes it still makes it fresh; a file loaded again by hand says nothing new.
    if (validator !== null) await database.system((tx) => confirmFeed(tx, feed, validator));
    return { ...before, outcome: 'same', counts: { ...noCounts, unchanged: stored.records } };
  }
  const touched = new Map<string, PackageKey>();
  const loaded = await loaders[kind]({
    ...context,
    request,
    storedAge: before.publishedAt,
    begin: () => database.system((tx) => beginLoad(tx, feed)),
    touch: (packages) => {
      for (const each of packages) touched.set(keyOf(each), each);
    },
  });
  if (loaded === 'older') return { ...before, outcome: 'older', counts: noCounts };
  // A load that was broken off has changed packages that nobody remembers: then every project is looked at.
  const wasBrokenOff = stored !== undefined && stored.contentHash === null;
  const alerts = await reconcile(wasBrokenOff ? 'all' : [...touched.values()]);
  // Scores and catalogue move the findings of monitored images too.
  if (kind !== 'osv') await reevaluateMonitoredImages(database);
  const { counts, bad, records, version, publishedAt } = loaded;
  await database.system((tx) => finishLoad(tx, { name: feed, version, publishedAt, records, contentHash, validator }));
  return { feed, kind, outcome: 'loaded', version, publishedAt, counts, bad, alerts };
}

async function hashFile(file: FeedFile): Promise<string> {
  const hash = createHash('sha256').update(`${readingVersion}\n`);
  for await (const chunk of (await readBytes(file, 'plain')).bytes) hash.update(chunk);
  return hash.digest('hex');
}
