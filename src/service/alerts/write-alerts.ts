import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { inScope } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';
import { endedByReopening } from './acknowledgement.js';
import type { AlertChanges, KnownAlert } from './alert-changes.js';
import { type AlertFacts, factColumns, identityColumns } from './alert-facts.js';
import { keepEvents, keepReopening } from './history-events.js';
import type { ResolvedAlert } from './resolution.js';
import { isAmong, type PackageKey } from './tracked-packages.js';

const columns = [...identityColumns, ...factColumns];
const columnList = sql.join(columns.map((column) => sql.ref(column)));

/** The columns of alerts passed as one JSON parameter: `unnest` cannot split a list of lists. */
const asRows = sql`as given (
  id text, ecosystem text, package_name text, vulnerability_id text, name text, advisory_ids text[], cves text[], title text,
  versions text[], safe_version text, severity text, cvss_version text, cvss_score double precision, cvss_vector text,
  epss double precision, epss_percentile double precision, epss_date date, kev_added date, kev_due date,
  kev_ransomware boolean, malicious boolean, tier text
)`;

/** The packages' alerts, also the resolved ones. */
export async function loadAlerts(
  tx: Transaction,
  project: ProjectKey,
  packages: readonly PackageKey[],
): Promise<KnownAlert[]> {
  return tx
    .selectFrom('alerts')
    .select(['id', 'resolved_at', ...columns])
    .where(inScope(project))
    .where(isAmong(packages))
    .execute();
}

/**
 * Writes only what has changed. Returns the new alerts with their ids. A reopened alert loses its acknowledgement,
 * because that was given before the alert came back.
 */
export async function writeAlertChanges(
  tx: Transaction,
  project: ProjectKey,
  changes: Omit<AlertChanges, 'gone'> & { readonly resolved: readonly ResolvedAlert[] },
  now: Date,
): Promise<(AlertFacts & { readonly id: string })[]> {
  const { reopened, updated, resolved, retiered } = changes;
  const opened = changes.opened.map((facts) => ({ ...facts, id: newId('alr') }));
  if (opened.length > 0) {
    const rows = JSON.stringify(opened);
    await sql`
      insert into alerts (organisation_id, project_id, first_seen_at, turns, id, ${columnList})
      select ${project.organisationId}, ${project.projectId}, ${now}::timestamptz, turn('{}', ${now}), id, ${columnList}
      from jsonb_to_recordset(${rows}::jsonb) ${asRows}`.execute(tx);
  }
  await keepReopening(
    tx,
    project,
    reopened.map(({ id }) => id),
    now,
  );
  const turned = retiered.map(({ id, ...facts }) => ({ kind: 'tier_changed' as const, alertId: id, facts }));
  await keepEvents(tx, project, turned, now);
  if (updated.length + reopened.length > 0) {
    const rows = JSON.stringify([...updated, ...reopened]);
    const facts = sql.join(columns.map((column) => sql`${sql.ref(column)} = given.${sql.ref(column)}`));
    await sql`
      update alerts set ${facts}, resolved_at = null, resolution = null,
        turns = case when resolved_at is null then turns else turn(turns, ${now}) end,
        ${endedByReopening}
      from jsonb_to_recordset(${rows}::jsonb) ${asRows}
      where alerts.organisation_id = ${project.organisationId} and alerts.id = given.id`.execute(tx);
  }
  if (resolved.length > 0) {
    await sql`
      update alerts set resolved_at = ${now}, turns = turn(turns, ${now}), resolution = given.resolution
      from unnest(${resolved.map(({ id }) => id)}::text[], ${resolved.map(({ resolution }) => resolution)}::text[])
        as given (id, resolution)
      where organisation_id = ${project.organisationId} and alerts.id = given.id`.execute(tx);
  }
  return opened;
}
