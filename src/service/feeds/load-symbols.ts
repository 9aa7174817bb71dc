import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { lockIntelligence } from '../alerts/intelligence-lock.js';
import type { PackageKey } from '../alerts/tracked-packages.js';
import type { Database, Transaction } from '../db/database.js';
import { Pace } from '../jobs/pace.js';
import { inPages } from '../jobs/pages.js';
import { inBatches, weightOfJson } from './batches.js';
import { FeedError, type Source } from './feed.js';
import { addCounts, type LoadCounts, type LoadProgress, noCounts } from './load-report.js';
import { goodRecords, type Reading } from './reading.js';
import type { SymbolRecord } from './symbol-source.js';

/** A hundred times what is published. The ids of a file's records are held in memory while it is loaded. */
const maxSymbolRecords = 200_000;

interface SymbolRow {
  readonly id: string;
  readonly isMatched: boolean;
  /** SHA-256 of the record, hex. */
  readonly hash: string;
  /** The record under the names of the columns, hash and packages included. */
  readonly json: string;
}

/** Kilobytes of one transaction: at first, and at most, which limits the memory of a batch. */
const batchWeights = { first: 200, most: 4_000 };

interface Written {
  readonly counts: LoadCounts;
  readonly packages: readonly PackageKey[];
}

/**
 * Writes the records of a feed batch by batch, each record whole in place of what was stored of it. Records that the feed had
 * before, and has no longer, are removed; not where some could not be read: a missing one may be one of those.
 *
 * @param onBatch gets the packages whose symbols have changed
 */
export async function loadSymbols(
  database: Database,
  feed: string,
  source: Source<SymbolRecord>,
  reading: Reading,
  onBatch: (packages: readonly PackageKey[], progress: LoadProgress) => void,
): Promise<LoadCounts> {
  let counts = noCounts;
  const ids = new Set<string>();
  const finishBatch = (written: Written) => {
    counts = addCounts(counts, written.counts);
    onBatch(written.packages, { records: reading.good, fraction: source.fraction() });
  };
  const pace = new Pace(batchWeights);
  for await (const { records: rows, weight } of inBatches(toRows(source, reading), pace, weightOfJson)) {
    for (const { id } of rows) ids.add(id);
    if (ids.size > maxSymbolRecords) throw new FeedError(`${feed}: holds more than ${maxSymbolRecords} records`);
    finishBatch(await database.system((tx) => pace.measure(weight, () => writeRecords(tx, feed, rows))));
  }
  if (reading.bad === 0 && reading.good > 0) await removeOthers(database, feed, ids, finishBatch);
  return counts;
}

async function* toRows(source: Source<SymbolRecord>, reading: Reading): AsyncGenerator<SymbolRow> {
  for await (const record of goodRecords(source, reading)) yield toRow(record);
}

function toRow({ id, aliases, packages }: SymbolRecord): SymbolRow {
  const facts = JSON.stringify({
    id,
    aliases,
    packages: packages.map(({ ecosystem, name, symbols, canExclude }) => ({
      ecosystem,
      package_name: name,
      symbols,
      can_exclude: canExclude,
    })),
  });
  const hash = createHash('sha256').update(facts).digest('hex');
  return { id, isMatched: packages.length > 0, hash, json: `{"content_hash":"${hash}",${facts.slice(1)}` };
}

async function writeRecords(tx: Transaction, feed: string, batch: readonly SymbolRow[]): Promise<Written> {
  await lockIntelligence(tx);
  // Of a record that stands there twice the last one counts, as it would in two batches.
  const rows = [...new Map(batch.map((row) => [row.id, row])).values()];
  const stored = await readHashes(tx, rows);
  const changed = rows.filter(({ id, hash, isMatched }) => stored.get(id) !== hash && (isMatched || stored.has(id)));
  const unchanged = rows.filter(({ id, hash }) => stored.get(id) === hash);
  const unmatched = rows.length - changed.length - unchanged.length;
  const added = changed.filter(({ id }) => !stored.has(id)).length;
  await adopt(tx, feed, unchanged);
  return {
    packages: changed.length === 0 ? [] : await replace(tx, feed, changed),
    counts: {
      ...noCounts,
      added,
      updated: changed.length - added,
      unchanged: batch.length - changed.length - unmatched,
      skipped: unmatched,
      unmatched,
    },
  };
}

async function readHashes(tx: Transaction, rows: readonly SymbolRow[]): Promise<Map<string, string>> {
  const { rows: stored } = await sql<{ record_id: string; hash: string }>`
    select distinct record_id, encode(content_hash, 'hex') as hash from symbol_records
    where record_id = any (${rows.map(({ id }) => id)}::text[])`.execute(tx);
  return new Map(stored.map(({ record_id, hash }) => [record_id, hash]));
}

/** A record belongs to the feed that had it last: that one alone can remove it. */
async function adopt(tx: Transaction, feed: string, rows: readonly SymbolRow[]): Promise<void> {
  await sql`
    update symbol_records set feed = ${feed}
    where record_id = any (${rows.map(({ id }) => id)}::text[]) and feed <> ${feed}`.execute(tx);
}

async function replace(tx: Transaction, feed: string, rows: readonly SymbolRow[]): Promise<PackageKey[]> {
  const before = await sql<PackageKey>`
    delete from symbol_records where record_id = any (${rows.map(({ id }) => id)}::text[])
    returning ecosystem, package_name`.execute(tx);
  const after = await sql<PackageKey>`
    insert into symbol_records
      (record_id, ecosystem, package_name, aliases, symbols, can_exclude, feed, content_hash)
    select incoming.id, p.ecosystem, p.package_name, incoming.aliases, p.symbols, p.can_exclude, ${feed},
      decode(incoming.content_hash, 'hex')
    from json_to_recordset(${`[${rows.map(({ json }) => json).join(',')}]`}::json)
      as incoming (id text, aliases text[], content_hash text, packages json),
      json_to_recordset(incoming.packages)
      as p (ecosystem text, package_name text, symbols text[], can_exclude boolean)
    returning ecosystem, package_name`.execute(tx);
  return [...before.rows, ...after.rows];
}

/** Removes the feed's records that its file does not have, in short transactions. Calls back after each. */
async function removeOthers(
  database: Database,
  feed: string,
  ids: ReadonlySet<string>,
  onBatch: (written: Written) => void,
): Promise<void> {
  const remove = (tx: Transaction, before: Removed | undefined, rows: number) =>
    removeNext(tx, feed, ids, before?.next ?? '', rows);
  const pages = inPages((work) => database.system(work), { first: 500 }, remove);
  for await (const { written } of pages) onBatch(written);
}

interface Removed {
  readonly written: Written;
  /** The last record that was looked at; undefined after all. */
  readonly next: string | undefined;
}

async function removeNext(
  tx: Transaction,
  feed: string,
  ids: ReadonlySet<string>,
  after: string,
  limit: number,
): Promise<Removed> {
  await lockIntelligence(tx);
  const { rows } = await sql<{ record_id: string }>`
    select distinct record_id from symbol_records where feed = ${feed} and record_id > ${after}
    order by record_id limit ${limit}`.execute(tx);
  const others = rows.flatMap(({ record_id }) => (ids.has(record_id) ? [] : [record_id]));
  const { rows: packages } = await sql<PackageKey>`
    delete from symbol_records where feed = ${feed} and record_id = any (${others}::text[])
    returning ecosystem, package_name`.execute(tx);
  const counts = { ...noCounts, removed: others.length };
  return { written: { packages, counts }, next: rows.length === limit ? rows.at(-1)?.record_id : undefined };
}
