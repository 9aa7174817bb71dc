import { sql } from 'kysely';
import { isAboutCve } from '../alerts/about-cve.js';
import { bandOf, nameOf, packageRefOf, statusOf } from '../alerts/alert-row.js';
import type { Handlers } from '../api/handler.js';
import { loadPage } from '../http/page.js';

/** Every project of the organisation with an alert for a CVE: unresolved first, worst first, then by the project's name. */
export const findExposed: Handlers['intelligence']['findExposed'] = async ({ tx, organisationId }, input) => {
  const alerts = tx
    .selectFrom('alerts')
    .where('alerts.organisation_id', '=', organisationId)
    .where(isAboutCve(input.cve))
    .innerJoin('projects', (join) =>
      join
        .onRef('projects.organisation_id', '=', 'alerts.organisation_id')
        .onRef('projects.id', '=', 'alerts.project_id'),
    )
    .selectAll('alerts')
    .select('projects.name as project_name')
    .orderBy(sql`alerts.resolved_at is not null`)
    .orderBy('alerts.tier_rank')
    .orderBy(sql`lower(projects.name)`)
    .orderBy(sql`alerts.package_name collate "C"`)
    .orderBy(sql`alerts.vulnerability_id collate "C"`)
    .orderBy('alerts.id');
  const page = await loadPage(input, alerts);
  const items = page.items.map((row) => ({
    project_id: row.project_id,
    project_name: row.project_name,
    alert_id: row.id,
    package: packageRefOf(row.ecosystem, nameOf(row)),
    versions: row.versions,
    tier: row.tier,
    band: bandOf(row),
    status: statusOf(row),
  }));
  return { ...page, items };
};
