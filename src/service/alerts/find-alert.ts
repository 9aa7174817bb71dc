import { sql } from 'kysely';
import type { Context } from '../api/handler.js';
import { isListed } from '../db/scope.js';
import { notFound } from '../http/api-error.js';
import { requireAsked } from '../projects/find-project.js';
import { type AlertWithVerdict, verdictSummary } from './alert-row.js';

export interface AlertKey {
  /** Undefined: of any project. */
  readonly project_id?: string | undefined;
  readonly alert_id: string;
}

/** The alerts of a project, or of all, with the summary of their verdicts. */
export function alertsOf({ tx, organisationId }: Context, projectId: string | undefined) {
  return tx.selectFrom('alerts').selectAll().select(verdictSummary).where(isListed({ organisationId, projectId }));
}

/** The alert, or a 404 that says which of the two ids is wrong. */
export function findAlert(ctx: Context, key: AlertKey): Promise<AlertWithVerdict> {
  return requireOne(ctx, key, alertsOf(ctx, key.project_id).where('id', '=', key.alert_id));
}

/** The same, and locks it: two callers who change it at once do so one after the other. */
export function lockAlert(ctx: Context, key: AlertKey): Promise<AlertWithVerdict> {
  return requireOne(ctx, key, alertsOf(ctx, key.project_id).where('id', '=', key.alert_id).forUpdate());
}

async function requireOne(
  ctx: Context,
  { project_id }: AlertKey,
  query: ReturnType<typeof alertsOf>,
): Promise<AlertWithVerdict> {
  const alert = await query.executeTakeFirst();
  if (alert !== undefined) return alert;
  await requireAsked(ctx, project_id);
  throw notFound('alert');
}

/**
 * The condition that an alert is about a CVE. The alert of an advisory with several CVEs has one of them as its id. So
 * the ids that such an alert can have are looked up first, by text equality: it is leakproof, which row-level security
 * needs to use an index, and array containment is not. The alert's list of CVEs then decides.
 */
function isAboutCve(cve: string) {
  return sql<boolean>`(
    alerts.vulnerability_id = any (array(
      select unnest(advisories.cves) from advisories where advisories.cves @> array[${cve}]::text[]
      union all select ${cve}::text
    )) and alerts.cves @> array[${cve}]::text[]
  )`;
}

/**
 * The condition that an alert is about a vulnerability, named by any id that we hold for it, in any case: a CVE, an advisory's
 * id or an alias of one. The ids that such an alert can have are looked up first, as for a CVE.
 */
export function isAboutVulnerability(id: string) {
  const upperCase = id.toUpperCase();
  if (upperCase.startsWith('CVE-')) return isAboutCve(upperCase);
  // Databases write their ids in capitals, GitHub what follows its prefix in small letters.
  const spellings = [...new Set([id, upperCase, upperCase.replace(/(?<=^GHSA-).*/, (rest) => rest.toLowerCase())])];
  const spelled = sql`${spellings}::text[]`;
  const named = sql`advisories.id = any (${spelled}) or advisories.aliases && ${spelled}`;
  return sql<boolean>`(
    alerts.vulnerability_id = any (array(
      select unnest(advisories.cves || advisories.id) from advisories where ${named}
      union all select unnest(${spelled})
    )) and (
      alerts.vulnerability_id = any (${spelled})
      or alerts.advisory_ids && array(select advisories.id from advisories where ${named})
    )
  )`;
}
