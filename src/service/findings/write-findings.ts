import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { newSortableId } from '../db/sortable-id.js';
import type { ProjectKey } from '../projects/find-project.js';
import { jointFacts } from './joint-facts.js';
import { vulnerabilitiesNamed } from './named-vulnerabilities.js';
import type { JointFacts, ReportedFinding, Scan } from './scan.js';
import type { ChangedFinding, KnownFinding, ScanChanges } from './scan-changes.js';
import { toolsOf } from './scan-job.js';
import { type Sighting, stateOf } from './sightings.js';

/** Rows of one statement. Large batches are cheaper, because each statement also updates the counts. */
const rowsBatchSize = 5_000;

/** Characters of one statement's JSON. The embedded database never gives back memory that a statement needed. */
const charactersBatchSize = 4_000_000;

/** Columns that the database reads from one JSON parameter. */
const asRows = sql`as given (
  id text, tool text, identity text, part text, rule_id text, title text, severity text, tier text, state text, cve text,
  epss double precision, kev_added date, details jsonb, sightings jsonb, reports jsonb, named text[]
)`;

/** The findings of a scan's source by its tools, including fixed ones. Tools that see the same findings share theirs. */
export async function loadKnownFindings(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  scan: Scan,
): Promise<KnownFinding[]> {
  const { domain, source, join } = scan;
  return tx
    .selectFrom('findings')
    .select(['id', 'tool', 'identity', 'state', 'modes', 'part', 'sightings'])
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId, domain, source }))
    .$if(join === undefined, (query) => query.where(sql<boolean>`tool = any (${toolsOf(scan)}::text[])`))
    .execute();
}

/** Writes what a scan changed. What it still reports gets `now` as `last_seen_at`, and the facts of this scan. */
export async function writeScanChanges(
  tx: Transaction,
  project: ProjectKey,
  scan: Scan,
  { added, changed }: ScanChanges,
  now: Date,
): Promise<void> {
  const { organisationId, projectId } = project;
  const modes = scan.mode === null ? [] : [scan.mode];
  const joint = await jointFacts(tx, organisationId, scan, changed);
  const duplicates = changed.flatMap((each) => each.duplicates);
  if (duplicates.length > 0)
    await sql`delete from findings where organisation_id = ${organisationId} and id = any (${duplicates}::text[])`.execute(
      tx,
    );
  // Sortable ids let two indexes grow at their end, which takes a third less work than inserts anywhere in them.
  for (const rows of batchesOfJson(added, ({ finding, sightings }) =>
    withNames(scan, rowOf(newSortableId('fnd'), finding, sightings)),
  )) {
    await sql`
      insert into findings (organisation_id, project_id, domain, source, modes, first_seen_at, last_seen_at, turns, id, tool, identity,
        part, rule_id, title, severity, tier, state, cve, epss, kev_added, details, sightings, named)
      select ${organisationId}, ${projectId}, ${scan.domain}, ${scan.source}, ${modes}::text[],
        ${now}::timestamptz, ${now}::timestamptz, case state when 'open' then turn('{}', ${now}) else '{}' end,
        id, tool, decode(identity, 'hex'), part, rule_id, title, severity, tier, state, cve, epss, kev_added, details, sightings, named
      from jsonb_to_recordset(${rows}::jsonb) ${asRows}`.execute(tx);
  }
  const reported = changed.flatMap((each) => (each.finding === null ? [] : [{ ...each, finding: each.finding }]));
  const rowOfReported = ({ id, finding, sightings }: (typeof reported)[number]) =>
    withNames(scan, { ...rowOf(id, finding, sightings), reports: null, ...joint.get(id) });
  for (const rows of batchesOfJson(reported, rowOfReported)) {
    await sql`
      update findings set identity = decode(given.identity, 'hex'), part = given.part, rule_id = given.rule_id,
        title = given.title, severity = given.severity, tier = given.tier, state = given.state, cve = given.cve,
        epss = given.epss, kev_added = given.kev_added, details = given.details, sightings = given.sightings,
        reports = given.reports, named = given.named,
        modes = case when modes @> ${modes}::text[] then modes else modes || ${modes}::text[] end,
        turns = case when (findings.state = 'open') = (given.state = 'open') then turns else turn(turns, ${now}) end,
        last_seen_at = ${now}, fixed_at = null
      from jsonb_to_recordset(${rows}::jsonb) ${asRows}
      where findings.organisation_id = ${organisationId} and findings.id = given.id`.execute(tx);
  }
  await writeGone(tx, organisationId, scan, changed, joint, now);
}

/** Findings that the scan does not report: fixed, or still seen by other tools, whose facts they then have. */
async function writeGone(
  tx: Transaction,
  organisationId: string,
  scan: Scan,
  changed: readonly ChangedFinding[],
  joint: ReadonlyMap<string, JointFacts>,
  now: Date,
): Promise<void> {
  const gone = changed.filter(({ finding }) => finding === null);
  const rowOfGone = ({ id, sightings, state }: ChangedFinding) => ({ id, sightings, state, ...joint.get(id) });
  for (const rows of batchesOfJson(gone, rowOfGone)) {
    await sql`
      update findings set sightings = given.sightings, state = given.state,
        fixed_at = case given.state when 'fixed' then ${now}::timestamptz end,
        turns = case when (findings.state = 'open') = (given.state = 'open') then turns else turn(turns, ${now}) end
      from jsonb_to_recordset(${rows}::jsonb) ${asRows}
      where findings.organisation_id = ${organisationId} and findings.id = given.id`.execute(tx);
  }
  const other = gone.flatMap(({ id }) => {
    const facts = joint.get(id);
    return facts === undefined ? [] : [{ id, ...facts }];
  });
  for (const rows of batchesOfJson(other, (row) => withNames(scan, row))) {
    await sql`
      update findings set rule_id = given.rule_id, title = given.title, severity = given.severity, tier = given.tier,
        cve = given.cve, epss = given.epss, kev_added = given.kev_added, details = given.details, reports = given.reports,
        named = given.named
      from jsonb_to_recordset(${rows}::jsonb) ${asRows}
      where findings.organisation_id = ${organisationId} and findings.id = given.id`.execute(tx);
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

function rowOf(id: string, finding: ReportedFinding, sightings: readonly Sighting[]) {
  const { tool, identity, part = '', rule_id, title, severity, tier, cve, epss, kev_added, details } = finding;
  const columns = { tool, part, rule_id, title, severity, tier, cve, epss, kev_added, details, sightings };
  return { ...columns, id, identity: identity.toString('hex'), state: stateOf(sightings) };
}

/** A row with the vulnerabilities that its facts name. */
function withNames<
  Row extends Pick<ReportedFinding, 'rule_id' | 'title'> & { readonly details: JointFacts['details'] },
>({ domain }: Pick<Scan, 'domain'>, row: Row) {
  return { ...row, named: vulnerabilitiesNamed({ domain, ...row }) };
}
