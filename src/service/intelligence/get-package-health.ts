import { sql } from 'kysely';
import type { Handlers } from '../http/handler.js';
import { offsetOf, pageAnswer } from '../http/page.js';
import { findProject } from '../projects/find-project.js';
import { loadHealth } from '../tech-stack/health.js';

/** Deprecated by its manifest or its registry, unmaintained, or malware by an alert that stands. */
const isAtRisk = sql<boolean>`(
  item.deprecated is not null
  or exists (
    select from package_health as health
    where health.ecosystem = item.ecosystem and health.package_name = item.package_name
      and (health.deprecated is not null or health.unmaintained_since is not null)
  )
  or exists (
    select from alerts
    where alerts.organisation_id = item.organisation_id and alerts.project_id = item.project_id
      and alerts.ecosystem = item.ecosystem and alerts.package_name = item.package_name
      and alerts.malicious and alerts.resolved_at is null and item.version = any(alerts.versions)
  )
)`;

/** A project's packages that are a risk by how they are kept, by name. Healthy and unknown ones are left out. */
export const getPackageHealth: Handlers['intelligence']['getPackageHealth'] = async (ctx, input) => {
  const { tx, organisationId } = ctx;
  await findProject(ctx, input.project_id);
  const atRisk = tx
    .selectFrom('tech_stack_items as item')
    .where('item.organisation_id', '=', organisationId)
    .where('item.project_id', '=', input.project_id)
    .where(isAtRisk);
  const { total } = await atRisk.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  const rows = await atRisk
    .selectAll()
    .orderBy('item.name')
    .orderBy('item.version')
    .orderBy('item.id')
    .limit(input.page_size)
    .offset(offsetOf(input))
    .execute();
  const health = await loadHealth(tx, rows);
  const items = rows.flatMap(({ id, ecosystem, name, version, direct }, place) => {
    const found = health[place];
    return found === undefined ? [] : [{ item_id: id, ecosystem, name, version, direct, health: found }];
  });
  return pageAnswer(input, total, items);
};
