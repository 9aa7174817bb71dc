import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { newSortableId } from '../db/sortable-id.js';
import type { ProjectKey } from '../projects/find-project.js';
import { vulnerabilitiesNamed } from './named-vulnerabilities.js';
import type { ReportedFinding, Scan } from './scan.js';
import type { KnownFinding, ScanChanges } from './scan-changes.js';
import { toolsOf } from './scan-job.js';

/** Rows of one statement. Large batches are cheaper, because each statement also updates the counts. */
const rowsBatchSize = 5_000;

/** Characters of one statement's JSON. The embedded database never gives back memory that a statement needed. */
const charactersBatchSize = 4_000_000;

/** Columns that the database reads from one JSON parameter. */
const asRows = sql`as given (
  id text, tool text, identity text, rule_id text, title text, severity text, tier text, state text, cve text,
  epss double precision, kev_added date, details jsonb, named text[]
)`;

/** The findings of a scan's source by its tools, including fixed ones. */
export async function loadKnownFindings(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  scan: Scan,
): Promise<KnownFinding[]> {
  const { domain, source } = scan;
  return tx
    .selectFrom('findings')
    .select(['id', 'tool', 'identity', 'state', 'modes'])
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId, domain, source }))
    .where(sql<boolean>`tool = any (${toolsOf(scan)}::text[])`)
    .execute();
}

/** Writes what a scan changed. What it still reports gets `now` as `last_seen_at`, and the facts of this scan. */
export async function writeScanChanges(
  tx: Transaction,
  project: ProjectKey,
  scan: Scan,
  { added, stillReported, fixed }: ScanChanges,
  now: Date,
): Promise<void> {
  const { organisationId, projectId } = project;
  const modes = scan.mode === null ? [] : [scan.mode];
  // Sortable ids let two indexes grow at their end, which takes a third less work than inserts anywhere in them.
  for (const rows of batchesOfJson(added, (finding) => rowOf(newSortableId('fnd'), scan, finding))) {
    await sql`
      insert into findings (organisation_id, project_id, domain, source, modes, first_seen_at, last_seen_at, turns, id, tool, identity,
        rule_id, title, severity, tier, state, cve, epss, kev_added, details, named)
      select ${organisationId}, ${projectId}, ${scan.domain}, ${scan.source}, ${modes}::text[],
        ${now}::timestamptz, ${now}::timestamptz, case state when 'open' then turn('{}', ${now}) else '{}' end,
        id, tool, decode(identity, 'hex'), rule_id, title, severity, tier, state, cve, epss, kev_added, details, named
      from jsonb_to_recordset(${rows}::jsonb) ${asRows}`.execute(tx);
  }
  for (const rows of batchesOfJson(stillReported, ({ id, finding }) => rowOf(id, scan, finding))) {
    await sql`
      update findings set rule_id = given.rule_id, title = given.title, severity = given.severity, tier = given.tier,
        state = given.state, cve = given.cve, epss = given.epss, kev_added = given.kev_added, details = given.details,
        named = given.named,
        modes = case when modes @> ${modes}::text[] then modes else modes || ${modes}::text[] end,
        turns = case when (findings.state = 'open') = (given.state = 'open') then turns else turn(turns, ${now}) end,
        last_seen_at = ${now}, fixed_at = null
      from jsonb_to_recordset(${rows}::jsonb) ${asRows}
      where findings.organisation_id = ${organisationId} and findings.id = given.id`.execute(tx);
  }
  for (let start = 0; start < fixed.length; start += rowsBatchSize) {
    const ids = fixed.slice(start, start + rowsBatchSize);
    await sql`
      update findings set state = 'fixed', fixed_at = ${now},
        turns = case state when 'open' then turn(turns, ${now}) else turns end
      where organisation_id = ${organisationId} and id = any (${ids}::text[])`.execute(tx);
  }
}

/** Rows as JSON lists, each small enough for one statement. */
function* batchesOfJson<Entry>(entries: readonly Entry[], toRow: (entry: Entry) => object): Generator<string> {
  let [rows, characters]: [string[], number] = [[], 0];
  for (const entry of entries) {
    const row = JSON.stringify(toRow(entry));
    if (rows.length === rowsBatchSize || (rows.length > 0 && characters + row.length > charactersBatchSize)) {
      yield `[${rows.join()}]`;
      [rows, characters] = [[], 0];
    }
    rows.push(row);
    characters += row.length;
  }
  if (rows.length > 0) yield `[${rows.join()}]`;
}

function rowOf(id: string, { domain }: Scan, { identity, suppressed, ...columns }: ReportedFinding) {
  return {
    ...columns,
    id,
    identity: identity.toString('hex'),
    state: suppressed ? 'suppressed' : 'open',
    named: vulnerabilitiesNamed({ domain, ...columns }),
  };
}
