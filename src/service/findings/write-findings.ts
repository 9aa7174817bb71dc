import { sql } from 'kysely';
import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import type { Transaction } from '../db/database.js';
import { newSortableId } from '../db/ids.js';
import { tenantFacts } from '../db/transactions.js';
import { Pace } from '../jobs/pace.js';
import type { Landing } from '../landing/landing.js';
import { asOthers, removeRows } from '../landing/remove-rows.js';
import type { ProjectKey } from '../projects/find-project.js';
import { factsHash } from './facts-hash.js';
import { jointFacts } from './joint-facts.js';
import { vulnerabilitiesNamed } from './named-vulnerabilities.js';
import type { JointFacts, ReportedFinding, Scan } from './scan.js';
import type { ChangedFinding, ScanChanges } from './scan-changes.js';
import { type Sighting, stateOf } from './sightings.js';
import { worstFirst } from './worst-first.js';

/** Characters of one statement's JSON. The embedded database never gives back memory that a statement needed. */
const charactersOfStep = 1_000_000;

/** The least of them take 15 to 40 ms, of which the transaction itself is up to 8 ms. A call waits for several steps. */
const rowsOfStep = { first: 200, least: 100 };

/** Columns that the database reads from one JSON parameter. */
const asRows = sql`as given (
  id text, tool text, identity text, part text, rule_id text, title text, severity text, tier text, state text, cve text,
  epss double precision, kev_added date, details jsonb, sightings jsonb, reports jsonb, named text[], facts_hash text,
  reported boolean, has_facts boolean, last_seen_at timestamptz
)`;

/** Writes what a scan changed, in short steps. What it still reports gets the facts of this scan. */
export async function writeScanChanges(
  step: Landing<never>['step'],
  { organisationId, projectId }: ProjectKey,
  scan: Scan,
  { added, changed }: ScanChanges,
  now: Date,
): Promise<void> {
  const modes = scan.mode === null ? [] : [scan.mode];
  const joint = await jointFacts(step, organisationId, scan, changed);
  const duplicates = changed.flatMap((each) => each.duplicates);
  if (duplicates.length > 0)
    await step((tx) =>
      removeRows(tx, 'findings', sql`organisation_id = ${organisationId} and id = any (${duplicates}::text[])`),
    );
  const changedRow = (each: ChangedFinding) => rowOfChanged(scan, each, joint.get(each.id), now);
  await writeInSteps(step, changed, changedRow, (tx, rows) => replaceFindings(tx, organisationId, rows, modes, now));
  // Sortable ids let two indexes grow at their end, and the order of lists lets others: inserts anywhere in them are dearer.
  const addedRow = ({ finding, sightings }: ScanChanges['added'][number]) =>
    withNames(scan, { ...rowOf(newSortableId('fnd'), finding, sightings), reports: null });
  await writeInSteps(step, worstFirst(added), addedRow, async (tx, rows) => {
    await sql`
      insert into findings (organisation_id, project_id, domain, source, modes, first_seen_at, last_seen_at, turns,
        added_in, id, tool, identity, part, rule_id, title, severity, tier, state, cve, epss, kev_added, details,
        sightings, named, facts_hash)
      select ${organisationId}, ${projectId}, ${scan.domain}, ${scan.source}, ${modes}::text[],
        ${now}::timestamptz, ${now}::timestamptz, case state when 'open' then (select turn('{}', ${now})) else '{}' end,
        (select own_version()), id, tool, decode(identity, 'hex'), part, rule_id, title, severity, tier, state, cve, epss,
        kev_added, details, sightings, named, decode(facts_hash, 'hex')
      from jsonb_to_recordset(${rows}::jsonb) ${asRows}`.execute(tx);
  });
}

/**
 * Puts new versions of findings in the place of those that are there. Of one that the scan does not report, the facts stay,
 * or are those that other tools give it together.
 */
async function replaceFindings(
  tx: Transaction,
  organisationId: string,
  rows: string,
  modes: readonly string[],
  now: Date,
): Promise<void> {
  const own = tenantFacts(tx).changeSet;
  const isMeant = sql`findings.organisation_id = ${organisationId} and findings.id = given.id and findings.removed_in = 0`;
  const removed =
    own === 0
      ? sql`delete from findings using given where ${isMeant}`
      : sql`update findings set removed_in = ${own} from given where ${isMeant}`;
  const fact = (column: string) =>
    sql`case when has_facts then given.${sql.ref(column)} else old.${sql.ref(column)} end`;
  const text = (column: string, value = sql`given.${sql.ref(column)}`) =>
    sql`case when reported then ${value} else old.${sql.ref(column)} end`;
  const statement = sql`
    with given as materialized (select * from jsonb_to_recordset(${rows}::jsonb) ${asRows}),
    old as (${removed} returning findings.*)
    insert into findings (organisation_id, project_id, domain, source, id, tool, first_seen_at, added_in, identity, part,
      rule_id, title, severity, tier, cve, epss, kev_added, details, reports, named, facts_hash, sightings, state, modes,
      turns, last_seen_at, fixed_at)
    select old.organisation_id, project_id, domain, source, old.id, old.tool, first_seen_at, ${own === 0 ? sql`own_version()` : own},
      ${text('identity', sql`decode(given.identity, 'hex')`)}, ${text('part')},
      ${fact('rule_id')}, ${fact('title')}, ${fact('severity')}, ${fact('tier')}, ${fact('cve')}, ${fact('epss')},
      ${fact('kev_added')}, ${fact('details')}, ${fact('reports')}, ${fact('named')},
      case when has_facts then decode(given.facts_hash, 'hex') else old.facts_hash end, given.sightings, given.state,
      case when not reported or modes @> ${modes}::text[] then modes else modes || ${modes}::text[] end,
      case when (old.state = 'open') = (given.state = 'open') then turns else turn(turns, ${now}) end,
      given.last_seen_at, case when not reported and given.state = 'fixed' then ${now}::timestamptz end
    from old join given on given.id = old.id`;
  if (own === 0) await statement.execute(tx);
  else await asOthers(tx, own, () => statement.execute(tx));
}

/** Writes entries as JSON lists, as many in one step as it has time for. */
async function writeInSteps<Entry>(
  step: Landing<never>['step'],
  entries: readonly Entry[],
  toRow: (entry: Entry) => object | null,
  write: (tx: Transaction, rows: string) => Promise<void>,
): Promise<void> {
  const yieldNow = yieldToEventLoop();
  const pace = new Pace(rowsOfStep);
  let [rows, characters]: [string[], number] = [[], 0];
  const flush = async () => {
    const [text, count] = [`[${rows.join()}]`, rows.length];
    [rows, characters] = [[], 0];
    if (count > 0) await step((tx) => pace.measure(count, () => write(tx, text)));
  };
  for (const entry of entries) {
    await yieldNow();
    const row = toRow(entry);
    if (row === null) continue;
    const json = JSON.stringify(row);
    if (characters + json.length > charactersOfStep) await flush();
    rows.push(json);
    characters += json.length;
    if (rows.length >= pace.rows) await flush();
  }
  await flush();
}

/** Null where the facts that several tools give together are the known ones. */
function rowOfChanged(
  { domain }: Scan,
  { id, before, finding, sightings, state, isSame }: ChangedFinding,
  joint: JointFacts | undefined,
  now: Date,
): object | null {
  if (finding === null) {
    const facts = joint && hashed({ identity: before.identity, part: before.part }, withNames({ domain }, joint));
    return {
      id,
      sightings,
      state,
      last_seen_at: before.last_seen_at,
      reported: false,
      has_facts: joint !== undefined,
      ...facts,
    };
  }
  const row = withNames({ domain }, { ...rowOf(id, finding, sightings), reports: null, ...joint });
  const { facts_hash } = hashed(finding, row);
  if (isSame && before.facts_hash?.toString('hex') === facts_hash) return null;
  return { ...row, facts_hash, state, last_seen_at: now, reported: true, has_facts: true };
}

function hashed<Facts extends JointFacts>(
  { identity, part = '' }: Pick<ReportedFinding, 'identity' | 'part'>,
  facts: Facts,
) {
  return { ...facts, facts_hash: factsHash({ ...facts, identity, part }).toString('hex') };
}

function rowOf(id: string, finding: ReportedFinding, sightings: readonly Sighting[]) {
  const { tool, identity, part = '', rule_id, title, severity, tier, cve, epss, kev_added, details } = finding;
  const facts_hash = factsHash(finding).toString('hex');
  const columns = { tool, part, rule_id, title, severity, tier, cve, epss, kev_added, details, sightings, facts_hash };
  return { ...columns, id, identity: identity.toString('hex'), state: stateOf(sightings) };
}

/** A row with the vulnerabilities that its facts name. */
function withNames<
  Row extends Pick<ReportedFinding, 'rule_id' | 'title'> & { readonly details: JointFacts['details'] },
>({ domain }: Pick<Scan, 'domain'>, row: Row) {
  return { ...row, named: vulnerabilitiesNamed({ domain, ...row }) };
}
