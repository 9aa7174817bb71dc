import { createHash } from 'node:crypto';
import { packageKey } from '../../shared/packages/package-name.js';
import type { PackageKey } from '../alerts/tracked-packages.js';
import { noAlertCounts } from '../assessment/alert-counts.js';
import { reevaluateMonitoredImages } from '../containers/reevaluate.js';
import { feedNameOf, fileTypeOf } from './feed.js';
import { beginLoad, confirmFeed, finishLoad, readFeed, stateCovers } from './feeds-table.js';
import { type FeedFile, readBytes } from './file-bytes.js';
import type { LoadContext, LoadRequest } from './load-context.js';
import { loaders } from './load-kinds.js';
import { type LoadReport, noCounts } from './load-report.js';
import { plausibleDate } from './plausible-date.js';

/** Raised when we keep other facts of a record than before, so that files already loaded are read again. */
const readingVersion = '4';

/** A load can be repeated, interrupted, and run twice at once. Throws `FeedError` for a file that cannot be used. */
export async function loadFeed(context: LoadContext, request: LoadRequest): Promise<LoadReport> {
  const { database, reconcile } = context;
  const { kind, file, validator, covers } = request;
  fileTypeOf(kind, file.name);
  const feed = feedNameOf(request);
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
    // The origin still publishes this content, so it is up to date. A file loaded again by hand does not say that.
    if (validator !== null) await database.system((tx) => confirmFeed(tx, feed, validator));
    if (covers !== undefined) await database.system((tx) => stateCovers(tx, feed, covers));
    return { ...before, outcome: 'same', counts: { ...noCounts, unchanged: stored.records } };
  }
  const touched = new Map<string, PackageKey>();
  const loaded = await loaders[kind]({
    ...context,
    request,
    storedPublishedAt: before.publishedAt,
    begin: () => database.system((tx) => beginLoad(tx, feed)),
    touch: (packages) => {
      for (const each of packages) touched.set(packageKey(each), each);
    },
  });
  if (loaded === 'older') return { ...before, outcome: 'older', counts: noCounts };
  // An interrupted load has changed packages that were not recorded: then the alerts of all packages are updated.
  const wasInterrupted = stored !== undefined && stored.contentHash === null;
  const alerts = await reconcile(wasInterrupted ? 'all' : [...touched.values()]);
  // Scores and KEV entries also change the findings of monitored images.
  if (kind === 'epss' || kind === 'kev') await reevaluateMonitoredImages(database);
  const { counts, bad, version, publishedAt: given, unread, ...facts } = loaded;
  const publishedAt = plausibleDate(given, new Date());
  const finished = { ...facts, name: feed, version, publishedAt, contentHash, validator, unread: counts.bad };
  await database.system((tx) => finishLoad(tx, finished, kind === 'osv' ? unread : []));
  return { feed, kind, outcome: 'loaded', version, publishedAt, counts, bad, alerts };
}

async function hashFile(file: FeedFile): Promise<string> {
  const hash = createHash('sha256').update(`${readingVersion}\n`);
  for await (const chunk of (await readBytes(file, 'plain')).bytes) hash.update(chunk);
  return hash.digest('hex');
}
