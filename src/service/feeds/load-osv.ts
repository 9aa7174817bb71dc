import { sql } from 'kysely';
import { packageKey } from '../../shared/packages/package-name.js';
import { lockIntelligence } from '../alerts/intelligence-lock.js';
import { type PackageKey, packageArrays } from '../alerts/tracked-packages.js';
import type { Database, Transaction } from '../db/database.js';
import { Pace } from '../jobs/pace.js';
import type { Advisory } from '../matching/advisory.js';
import { type AdvisoryRow, type Decision, decide, inRounds, type StoredAdvisory, toRow } from './advisory-rows.js';
import { inBatches, weightOfJson } from './batches.js';
import { EcosystemCount } from './covered-ecosystems.js';
import type { Source } from './feed.js';
import { addCounts, type LoadCounts, type LoadProgress, noCounts } from './load-report.js';
import { plausibleDate, yearOfId } from './plausible-date.js';
import { goodRecords, type Reading } from './reading.js';

/** Kilobytes of one transaction: at first, and at most, which limits the memory of a batch. */
export const batchWeights = { first: 400, most: 4_000 };

export interface BatchResult {
  readonly counts: LoadCounts;
  /** Packages whose advisories changed, before or after. */
  readonly packages: readonly PackageKey[];
}

/**
 * `whole`: each record names all packages of its advisory, as in OSV's own archives. `parts`: a file may have been split by
 * ecosystem, so a newer record does not remove packages of ecosystems that it does not name.
 */
export type Holds = 'whole' | 'parts';

/** Writes advisories batch by batch. Each batch is written whole or not at all, so an interrupted load can be repeated. */
export async function loadOsv(
  database: Database,
  source: Source<Advisory>,
  reading: Reading,
  onBatch: (packages: readonly PackageKey[], progress: LoadProgress) => void,
  holds: Holds = 'parts',
): Promise<{ counts: LoadCounts; publishedAt: Date | null; about: EcosystemCount }> {
  let counts = noCounts;
  let publishedAt: Date | null = null;
  const about = new EcosystemCount();
  const now = new Date();
  const pace = new Pace(batchWeights);
  for await (const { records: rows, weight } of inBatches(toRows(source, reading), pace, weightOfJson)) {
    const result = await database.system((tx) => pace.measure(weight, () => writeAdvisories(tx, rows, holds)));
    counts = addCounts(counts, result.counts);
    for (const row of rows) {
      about.add(row.id, row.ecosystems);
      for (const each of [row.modified, row.published, yearOfId(row.id)]) {
        const date = plausibleDate(each, now);
        if (date !== null && (publishedAt === null || date > publishedAt)) publishedAt = date;
      }
    }
    onBatch(result.packages, { records: reading.good, fraction: source.fraction() });
  }
  return { counts, publishedAt, about };
}

async function* toRows(source: Source<Advisory>, reading: Reading): AsyncGenerator<AdvisoryRow> {
  for await (const advisory of goodRecords(source, reading)) yield toRow(advisory);
}

/** Writes the new and newer advisories of one batch, replaces their packages, and refreshes package health. */
export async function writeAdvisories(
  tx: Transaction,
  batch: readonly AdvisoryRow[],
  holds: Holds = 'parts',
): Promise<BatchResult> {
  await lockIntelligence(tx);
  let counts = noCounts;
  const packages: PackageKey[] = [];
  for (const rows of inRounds(batch)) {
    const result = await writeRound(tx, rows, holds);
    counts = addCounts(counts, result.counts);
    packages.push(...result.packages);
  }
  return { counts, packages };
}

/** Writes rows without repeated ids. */
async function writeRound(tx: Transaction, rows: readonly AdvisoryRow[], holds: Holds): Promise<BatchResult> {
  const stored = await readStored(tx, rows);
  const decided = rows.map((row) => ({ row, decision: decide(row, stored.get(row.id)) }));
  const having = (...wanted: Decision[]) =>
    decided.flatMap(({ row, decision }) => (wanted.includes(decision) ? [row] : []));
  const written = having('added', 'updated', 'joined');
  const completed = having('completed');
  const keeping = holds === 'whole' ? having('joined') : having('joined', 'updated');
  const packages = [
    ...(written.length === 0 ? [] : await replace(tx, written, keeping)),
    ...(completed.length === 0 ? [] : await complete(tx, completed)),
  ];
  const aboutHealth = [...written, ...completed].some((row) => row.informational || stored.get(row.id)?.informational);
  if (aboutHealth) await refreshHealth(tx, packages);
  return {
    packages,
    counts: {
      ...noCounts,
      added: having('added').length,
      updated: having('updated', 'joined', 'completed').length,
      unchanged: having('unchanged').length,
      skipped: having('skipped').length,
      unmatched: having('skipped').filter(({ ecosystems }) => ecosystems.length === 0).length,
      withdrawn: written.filter(({ withdrawn }) => withdrawn).length,
    },
  };
}

async function readStored(tx: Transaction, wanted: readonly AdvisoryRow[]): Promise<Map<string, StoredAdvisory>> {
  const { rows } = await sql<StoredAdvisory & { id: string }>`
    select id, modified, encode(content_hash, 'hex') as hash, informational is not null as informational,
      array(select distinct ecosystem from advisory_packages where advisory_id = advisories.id) as ecosystems
    from advisories where id = any(${wanted.map(({ id }) => id)})`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Replaces rows with their packages: of a `keeping` one only the packages of the ecosystems it names. */
async function replace(
  tx: Transaction,
  rows: readonly AdvisoryRow[],
  keeping: readonly AdvisoryRow[],
): Promise<PackageKey[]> {
  const json = `[${rows.map((row) => row.json).join(',')}]`;
  await sql`
    insert into advisories (id, modified, published, withdrawn, summary, cves, aliases, severity, cvss_version, cvss_score,
      cvss_vector, malicious, informational, cwes, "references", reference_kinds, details, content_hash)
    select id, modified, published, withdrawn, summary, cves, aliases, severity, cvss_version, cvss_score,
      cvss_vector, malicious, informational, cwes, "references", reference_kinds, details, decode(content_hash, 'hex')
    from json_to_recordset(${json}::json) as incoming (id text, modified timestamptz, published timestamptz,
      withdrawn timestamptz, summary text, cves text[], aliases text[], severity text, cvss_version text,
      cvss_score double precision, cvss_vector text, malicious boolean, informational text, cwes text[],
      "references" text[], reference_kinds text[], details text, content_hash text)
    on conflict (id) do update set modified = excluded.modified, published = excluded.published,
      withdrawn = excluded.withdrawn, summary = excluded.summary, cves = excluded.cves, aliases = excluded.aliases,
      severity = excluded.severity, cvss_version = excluded.cvss_version, cvss_score = excluded.cvss_score,
      cvss_vector = excluded.cvss_vector, malicious = excluded.malicious, informational = excluded.informational,
      cwes = excluded.cwes, "references" = excluded."references", reference_kinds = excluded.reference_kinds, details = excluded.details,
      content_hash = excluded.content_hash`.execute(tx);
  const kept = new Set(keeping.map(({ id }) => id));
  const gone = rows.flatMap(({ id, ecosystems }) => {
    const parts = kept.has(id) ? ecosystems : [null];
    return parts.map((ecosystem) => ({ id, ecosystem }));
  });
  const before = await sql<PackageKey>`
    delete from advisory_packages as named
    using unnest(${gone.map(({ id }) => id)}::text[], ${gone.map(({ ecosystem }) => ecosystem)}::text[])
      as gone (id, ecosystem)
    where named.advisory_id = gone.id and named.ecosystem = coalesce(gone.ecosystem, named.ecosystem)
    returning named.ecosystem, named.package_name`.execute(tx);
  await sql`
    insert into advisory_packages (advisory_id, ecosystem, package_name, affected, symbols)
    select incoming.id, p.ecosystem, p.package_name, p.affected, p.symbols
    from json_to_recordset(${json}::json) as incoming (id text, packages json),
      json_to_recordset(incoming.packages) as p (ecosystem text, package_name text, affected jsonb, symbols text[])`.execute(
    tx,
  );
  const after = await sql<PackageKey>`
    select ecosystem, package_name from advisory_packages
    where advisory_id = any(${rows.map(({ id }) => id)})`.execute(tx);
  return unique([...before.rows, ...after.rows]);
}

/** Adds the packages of ecosystems that the stored revision says nothing of. */
async function complete(tx: Transaction, rows: readonly AdvisoryRow[]): Promise<PackageKey[]> {
  const json = `[${rows.map((row) => row.json).join(',')}]`;
  const { rows: added } = await sql<PackageKey>`
    insert into advisory_packages (advisory_id, ecosystem, package_name, affected, symbols)
    select incoming.id, p.ecosystem, p.package_name, p.affected, p.symbols
    from json_to_recordset(${json}::json) as incoming (id text, packages json),
      json_to_recordset(incoming.packages) as p (ecosystem text, package_name text, affected jsonb, symbols text[])
    where p.ecosystem not in (select ecosystem from advisory_packages where advisory_id = incoming.id)
    returning ecosystem, package_name`.execute(tx);
  return added;
}

function unique(packages: readonly PackageKey[]): PackageKey[] {
  return [...new Map(packages.map((each) => [packageKey(each), each])).values()];
}

/** Unmaintained since the first `unmaintained` advisory (RustSec) not withdrawn. Rows of other sources stay. */
async function refreshHealth(tx: Transaction, packages: readonly PackageKey[]): Promise<void> {
  const { ecosystems, names } = packageArrays(packages);
  await sql`
    delete from package_health as health
    using unnest(${ecosystems}::text[], ${names}::text[]) as touched (ecosystem, package_name)
    where health.ecosystem = touched.ecosystem and health.package_name = touched.package_name
      and exists (select from advisories where id = health.source)`.execute(tx);
  await sql`
    insert into package_health (ecosystem, package_name, unmaintained_since, source)
    select distinct on (p.ecosystem, p.package_name) p.ecosystem, p.package_name,
      (coalesce(a.published, a.modified) at time zone 'UTC')::date, a.id
    from unnest(${ecosystems}::text[], ${names}::text[]) as touched (ecosystem, package_name)
    join advisory_packages p on p.ecosystem = touched.ecosystem and p.package_name = touched.package_name
    join advisories a on a.id = p.advisory_id
    where a.informational = 'unmaintained' and a.withdrawn is null
    order by p.ecosystem, p.package_name, coalesce(a.published, a.modified), a.id
    on conflict (ecosystem, package_name) do nothing`.execute(tx);
}
