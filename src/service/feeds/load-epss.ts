import { sql } from 'kysely';
import { lockIntelligence } from '../alerts/intelligence-lock.js';
import type { PackageKey } from '../alerts/tracked-packages.js';
import type { Database, Transaction } from '../db/database.js';
import { Pace } from '../jobs/pace.js';
import { inBatches } from './batches.js';
import type { EpssScore } from './epss-source.js';
import type { Source } from './feed.js';
import {
  addCounts,
  countWritten,
  type LoadCounts,
  type LoadProgress,
  noCounts,
  type WrittenCve,
} from './load-report.js';
import { goodRecords, type Reading } from './reading.js';
import { packagesAlertedFor } from './touched-packages.js';

/** Scores of one transaction: at first, and at most. */
const batchSizes = { first: 500, most: 5_000 };

/** Writes scores batch by batch. A score of an earlier day never replaces one of a later day. */
export async function loadEpss(
  database: Database,
  source: Source<EpssScore>,
  reading: Reading,
  onBatch: (packages: readonly PackageKey[], progress: LoadProgress) => void,
): Promise<{ counts: LoadCounts; newest: EpssScore | null }> {
  let counts = noCounts;
  let newest: EpssScore | null = null;
  const pace = new Pace(batchSizes);
  for await (const { records: scores } of inBatches(goodRecords(source, reading), pace, () => 1)) {
    const result = await database.system((tx) =>
      pace.measure(scores.length, async () => {
        const written = await writeScores(tx, scores);
        return { counts: written.counts, packages: await packagesAlertedFor(tx, written.cves) };
      }),
    );
    counts = addCounts(counts, result.counts);
    for (const score of scores) if (newest === null || score.scoredOn > newest.scoredOn) newest = score;
    onBatch(result.packages, { records: reading.good, fraction: source.fraction() });
  }
  return { counts, newest };
}

/** Writes one batch. `cves` are those whose score changed. */
async function writeScores(
  tx: Transaction,
  batch: readonly EpssScore[],
): Promise<{ readonly counts: LoadCounts; readonly cves: readonly string[] }> {
  await lockIntelligence(tx);
  const scores = newestOfEach(batch);
  const { rows: written } = await sql<WrittenCve>`
    insert into epss (cve, probability, percentile, scored_on, model)
    select * from unnest(
      ${scores.map(({ cve }) => cve)}::text[],
      ${scores.map(({ probability }) => probability)}::double precision[],
      ${scores.map(({ percentile }) => percentile)}::double precision[],
      ${scores.map(({ scoredOn }) => scoredOn)}::date[],
      ${scores.map(({ model }) => model)}::text[])
    on conflict (cve) do update set probability = excluded.probability, percentile = excluded.percentile,
      scored_on = excluded.scored_on, model = excluded.model
    where epss.scored_on <= excluded.scored_on
      and (epss.probability, epss.percentile, epss.scored_on, epss.model)
        is distinct from (excluded.probability, excluded.percentile, excluded.scored_on, excluded.model)
    returning cve, xmax = 0 as added`.execute(tx);
  const writtenCves = new Set(written.map(({ cve }) => cve));
  const rest = scores.filter(({ cve }) => !writtenCves.has(cve));
  const skipped = await countOlder(tx, rest);
  return {
    cves: [...writtenCves],
    counts: {
      ...countWritten(written),
      skipped,
      unchanged: batch.length - written.length - skipped,
    },
  };
}

function newestOfEach(batch: readonly EpssScore[]): EpssScore[] {
  const newest = new Map<string, EpssScore>();
  for (const score of batch) {
    const known = newest.get(score.cve);
    if (known === undefined || known.scoredOn <= score.scoredOn) newest.set(score.cve, score);
  }
  return [...newest.values()];
}

async function countOlder(tx: Transaction, scores: readonly EpssScore[]): Promise<number> {
  if (scores.length === 0) return 0;
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from unnest(${scores.map(({ cve }) => cve)}::text[], ${scores.map(({ scoredOn }) => scoredOn)}::date[])
      as incoming (cve, scored_on)
    join epss using (cve) where epss.scored_on > incoming.scored_on`.execute(tx);
  return rows[0]?.count ?? 0;
}
