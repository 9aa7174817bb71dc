import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { FindingRow } from './finding-row.js';
import type { Scan, Seer } from './scan.js';
import { type LastReports, seerKey, withLastReports } from './sightings.js';

/** Whoever reports or searches in a scan, each once. */
export function seersOf({ searched, findings }: Pick<Scan, 'searched' | 'findings'>): Seer[] {
  const seers = [...searched, ...findings.map(({ seer }) => seer)];
  return [...new Map(seers.map(({ tool, scope }) => [seerKey({ tool, scope }), { tool, scope }])).values()];
}

type Source = Pick<Scan, 'domain' | 'source'>;

/** When each seer last reported on the sources, by source. */
export async function lastReports(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  domain: FindingRow['domain'],
  sources: readonly string[],
): Promise<ReadonlyMap<string, LastReports>> {
  const rows = await tx
    .selectFrom('last_reports')
    .select(['source', 'tool', 'scope', 'reported_at'])
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId, domain }))
    .where(sql<boolean>`source = any (${sources}::text[])`)
    .execute();
  const last = new Map(sources.map((source) => [source, new Map<string, Date>()]));
  for (const row of rows) last.get(row.source)?.set(seerKey(row), row.reported_at);
  return last;
}

/** Keeps that these seers have reported now. */
export async function keepLastReports(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  reports: readonly (Source & { readonly seers: readonly Seer[] })[],
  now: Date,
): Promise<void> {
  const rows = reports.flatMap(({ domain, source, seers }) => seers.map((seer) => ({ domain, source, ...seer })));
  await sql`
    insert into last_reports (organisation_id, project_id, domain, source, tool, scope, reported_at)
    select ${organisationId}, ${projectId}, domain, source, tool, scope, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (domain text, source text, tool text, scope text[])
    on conflict (organisation_id, project_id, domain, source, tool, scope)
      do update set reported_at = greatest(last_reports.reported_at, excluded.reported_at)`.execute(tx);
}

/** Rows of one domain, with the times of the reports that have confirmed them since they were written. */
export async function withConfirmations<Row extends FindingRow>(
  tx: Transaction,
  organisationId: string,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const [first] = rows;
  if (first === undefined) return rows;
  const { rows: reports } = await sql<Place & Seer & { readonly reported_at: Date }>`
    select project_id, source, tool, scope, reported_at from last_reports
    where organisation_id = ${organisationId} and domain = ${first.domain} and (project_id, source) in (
      select * from unnest(
        ${rows.map(({ project_id }) => project_id)}::text[], ${rows.map(({ source }) => source)}::text[]
      )
    )`.execute(tx);
  const last = new Map<string, Map<string, Date>>(rows.map((row) => [placeKey(row), new Map()]));
  for (const report of reports) last.get(placeKey(report))?.set(seerKey(report), report.reported_at);
  return rows.map((row) => confirmedBy(row, last.get(placeKey(row))));
}

type Place = Pick<FindingRow, 'project_id' | 'source'>;

/** Ids have no spaces. */
function placeKey({ project_id, source }: Place): string {
  return `${project_id} ${source}`;
}

/** A row with what has confirmed it. */
export function confirmedBy<Row extends Pick<FindingRow, 'sightings' | 'last_seen_at'>>(
  row: Row,
  last: LastReports = new Map(),
): Row {
  const sightings = withLastReports(row.sightings, last);
  const times = sightings.flatMap(({ at, gone, held }) =>
    gone === undefined && held === undefined ? [Date.parse(at)] : [],
  );
  return { ...row, sightings, last_seen_at: new Date(Math.max(row.last_seen_at.getTime(), ...times)) };
}
