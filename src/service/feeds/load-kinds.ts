import { isEcosystem } from '../../shared/packages/ecosystem.js';
import { packageKey } from '../../shared/packages/package-name.js';
import type { PackageKey } from '../alerts/tracked-packages.js';
import { coveredEcosystems } from './covered-ecosystems.js';
import { openEpss } from './epss-source.js';
import {
  type BadRecord,
  FeedError,
  type FeedKind,
  feedNameOf,
  printable,
  type ReadResult,
  type Source,
} from './feed.js';
import type { FeedFile } from './file-bytes.js';
import { readKev } from './kev-source.js';
import type { Loaded, LoadRun } from './load-context.js';
import { loadEpss } from './load-epss.js';
import { writeCatalogue } from './load-kev.js';
import { loadOsv } from './load-osv.js';
import { type LoadProgress, maxShownBad } from './load-report.js';
import { loadSymbols } from './load-symbols.js';
import { openOsv } from './osv-source.js';
import { goodRecords, type Reading, startReading } from './reading.js';
import { openSymbols } from './symbol-source.js';
import { trackedPackages } from './touched-packages.js';

/** Reads a file of each kind and writes its content; `older` where that would replace newer content. */
export const loaders: Readonly<Record<FeedKind, (run: LoadRun) => Promise<Loaded | 'older'>>> = {
  osv: loadAdvisories,
  epss: loadScores,
  kev: loadCatalogue,
  symbols: loadVulnerableSymbols,
};

const noEcosystems = { covers: [], named: [] } as const;

async function loadAdvisories(run: LoadRun): Promise<Loaded> {
  const { part, covers: stated } = run.request;
  return loadRecords(run, openOsv, async (source, reading) => {
    // Only an archive of OSV is named after its ecosystem alone.
    const archiveOf = isEcosystem(part) ? part : null;
    const holds = archiveOf === null ? 'parts' : 'whole';
    const { counts, publishedAt, about } = await touchingTracked(run, (onBatch) =>
      loadOsv(run.database, source, reading, onBatch, holds),
    );
    const covers = coveredEcosystems(about, { stated: stated ?? null, archiveOf });
    return { counts, version: null, publishedAt, covers, named: about.named() };
  });
}

async function loadVulnerableSymbols(run: LoadRun): Promise<Loaded> {
  return loadRecords(run, openSymbols, async (source, reading) => {
    const counts = await touchingTracked(run, (onBatch) =>
      loadSymbols(run.database, feedNameOf(run.request), source, reading, onBatch),
    );
    return { counts, version: null, publishedAt: null, ...noEcosystems };
  });
}

type OnBatch = (packages: readonly PackageKey[], progress: LoadProgress) => void;

/** A file may name 300,000 packages. Of those that a load changes, only those that projects track are remembered. */
async function touchingTracked<T>(run: LoadRun, load: (onBatch: OnBatch) => Promise<T>): Promise<T> {
  const { database, touch } = run;
  const tracked = await trackedPackages(database);
  const result = await load((packages, progress) => {
    touch(packages.filter((each) => tracked.has(packageKey(each))));
    advance(run, progress);
  });
  // A package that a project began to track during the load may have been looked at before its records were written.
  touch([...(await trackedPackages(database))].flatMap(([key, each]) => (tracked.has(key) ? [] : [each])));
  return result;
}

async function loadScores(run: LoadRun): Promise<Loaded> {
  return loadRecords(run, openEpss, async (source, reading) => {
    const { counts, newest } = await loadEpss(run.database, source, reading, (packages, progress) => {
      run.touch(packages);
      advance(run, progress);
    });
    const publishedAt = newest === null ? null : new Date(newest.scoredOn);
    return { counts, version: newest?.model ?? null, publishedAt, ...noEcosystems };
  });
}

/** Loads a file record by record. Throws where not one of them is usable. */
async function loadRecords<T>(
  run: LoadRun,
  open: (file: FeedFile) => Promise<Source<T>>,
  write: (source: Source<T>, reading: Reading) => Promise<Omit<Loaded, 'records' | 'bad' | 'unread'>>,
): Promise<Loaded> {
  const reading = startReading();
  const written = await write(await openChecked(run, open), reading);
  requireGood(run.request.file, reading);
  const { good: records, bad, shown, unread } = reading;
  return { ...written, counts: { ...written.counts, bad }, records, bad: shown, unread };
}

async function loadCatalogue(run: LoadRun): Promise<Loaded | 'older'> {
  const { file, onBad } = run.request;
  const catalogue = await readKev(file);
  const { version, releasedAt, entries } = catalogue;
  const bad = catalogue.bad.slice(0, maxShownBad);
  if (onBad === 'refuse' && bad.length > 0) throw strictError(file, catalogue.bad.length, bad);
  requireGood(file, { good: entries.length, shown: bad });
  if (run.storedPublishedAt !== null && run.storedPublishedAt > releasedAt) return 'older';
  await run.begin();
  const { counts, packages } = await run.database.system((tx) => writeCatalogue(tx, catalogue));
  run.touch(packages);
  advance(run, { records: entries.length, fraction: 1 });
  return { counts, records: entries.length, bad, version, publishedAt: releasedAt, unread: [], ...noEcosystems };
}

function advance({ onProgress, signal }: LoadRun, progress: LoadProgress): void {
  onProgress?.(progress);
  signal?.throwIfAborted();
}

/** With `refuse` the file is read to its end first, so that nothing of a file with a bad record is written. */
async function openChecked<T>(
  { request: { file, onBad }, begin }: LoadRun,
  open: (file: FeedFile) => Promise<Source<T>>,
): Promise<Source<T>> {
  if (onBad === 'refuse') {
    const reading = startReading();
    for await (const _ of goodRecords(await open(file), reading));
    if (reading.bad > 0) throw strictError(file, reading.bad, reading.shown);
  }
  const { records, fraction } = await open(file);
  return { records: beginningWith(records, begin), fraction };
}

/** The same records. `begin` runs before the first usable one is handed on. */
async function* beginningWith<T>(
  records: AsyncIterable<ReadResult<T>>,
  begin: () => Promise<void>,
): AsyncGenerator<ReadResult<T>> {
  let begun = false;
  for await (const read of records) {
    if (read.kind === 'record' && !begun) {
      await begin();
      begun = true;
    }
    yield read;
  }
}

function strictError({ name }: FeedFile, count: number, bad: readonly BadRecord[]): FeedError {
  const records = count === 1 ? '1 record that cannot' : `${count} records that cannot`;
  return new FeedError(`${printable(name)}: holds ${records} be used; nothing was loaded, as --strict asks`, bad);
}

function requireGood({ name }: FeedFile, { good, shown }: Pick<Reading, 'good' | 'shown'>): void {
  if (good === 0) throw new FeedError(`${printable(name)}: holds no usable record`, shown);
}
