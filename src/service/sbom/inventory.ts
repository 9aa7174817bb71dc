import { type Selectable, sql } from 'kysely';
import { adviseAlerts } from '../alerts/package-advice.js';
import type { Context } from '../api/handler.js';
import type { Schema } from '../db/schema.js';
import { inScope } from '../db/scope.js';
import type { ChangeSetMarks } from '../db/tables/columns.js';
import type { ProjectKey } from '../projects/find-project.js';

export type InventoryItem = Omit<
  Selectable<Schema['tech_stack_items']>,
  keyof ProjectColumns | 'id' | 'revision' | 'added_at' | 'ranges' | 'asked_by'
>;

/** A component that no feed matches. */
export type OtherComponent = Omit<Selectable<Schema['unmatched_components']>, keyof ProjectColumns>;

/** Columns that say where a row belongs. */
interface ProjectColumns extends ChangeSetMarks {
  readonly organisation_id: unknown;
  readonly project_id: unknown;
}

/** A manifest whose list of the project's direct dependencies is known, or known to lack some. */
type InventorySource = Pick<Selectable<Schema['stack_sources']>, 'source' | 'direct_known'> & {
  /** Whether it names what the document does not list. */
  readonly lacks_some: boolean;
};

/** An alert with the version that may be proposed now, and its verdict, all of whose columns are null where there is none. */
export type InventoryAlert = Awaited<ReturnType<typeof loadAlerts>>[number];

/** A project's packages and alerts: everything that a document is made from. */
export interface Inventory {
  readonly project: { readonly id: string; readonly name: string; readonly repo: string | null };
  readonly organisation: string;
  readonly items: readonly InventoryItem[];
  readonly others: readonly OtherComponent[];
  readonly sources: readonly InventorySource[];
  /** Unordered, resolved ones included; empty where the document lists only components. */
  readonly alerts: readonly InventoryAlert[];
  /**
   * The newest change among all these, and the newest advisories that a proposed version was compared with. A package that
   * was removed from the stack does not count.
   */
  readonly changedAt: Date;
}

/** What a document lists: the components alone, or their vulnerabilities too. */
export type DocumentContents = 'components' | 'vulnerabilities';

/** Reads a project's inventory, with its alerts and verdicts where the document lists vulnerabilities. */
export async function loadInventory(
  ctx: Pick<Context, 'tx' | 'organisationId' | 'now'>,
  key: ProjectKey,
  contents: DocumentContents,
): Promise<Inventory> {
  const { tx } = ctx;
  const project = await tx
    .selectFrom('projects')
    .innerJoin('organisations', 'organisations.id', 'projects.organisation_id')
    .select([
      'projects.id',
      'projects.name',
      'projects.repo',
      'projects.updated_at',
      'organisations.name as organisation',
    ])
    .where('projects.organisation_id', '=', key.organisationId)
    .where('projects.id', '=', key.projectId)
    .executeTakeFirstOrThrow();
  const items = await tx
    .selectFrom('tech_stack_items')
    .select(['source', 'ecosystem', 'name', 'package_name', 'version', 'scope', 'direct', 'deprecated', 'updated_at'])
    .select(['bundled_in', 'dependencies', 'dependencies_known', 'licences', 'hashes', 'supplier'])
    .where(inScope(key))
    .execute();
  const others = await tx
    .selectFrom('unmatched_components')
    .select(['source', 'key', 'kind', 'purl', 'component_group', 'name', 'version', 'scope', 'direct', 'updated_at'])
    .select(['dependencies', 'dependencies_known', 'licences', 'hashes', 'supplier'])
    .where(inScope(key))
    .execute();
  const sources = await tx
    .selectFrom('stack_sources')
    .select([
      'source',
      'direct_known',
      sql<boolean>`exists (
      select from jsonb_array_elements(unread) as part where part ->> 'reason' not in ('no_package_url', 'own', 'system_package', 'of_runtime')
    )`.as('lacks_some'),
    ])
    .where(inScope(key))
    .execute();
  const alerts = contents === 'components' ? [] : await loadAlerts(ctx, key);
  const { id, name, repo, organisation, updated_at } = project;
  const times = [updated_at, ...[...items, ...others].map((each) => each.updated_at), ...alerts.flatMap(timesOf)];
  const changedAt = new Date(times.reduce((newest, time) => Math.max(newest, time.getTime()), 0));
  return { project: { id, name, repo }, organisation, items, others, sources, alerts, changedAt };
}

async function loadAlerts(
  ctx: Pick<Context, 'tx' | 'organisationId' | 'now'>,
  { organisationId, projectId }: ProjectKey,
) {
  const rows = await ctx.tx
    .selectFrom('alerts')
    .leftJoin('verdicts', (join) =>
      join
        .onRef('verdicts.organisation_id', '=', 'alerts.organisation_id')
        .onRef('verdicts.alert_id', '=', 'alerts.id'),
    )
    .selectAll('alerts')
    .select([
      'verdicts.evidence',
      'verdicts.formula',
      'verdicts.computed_at',
      'verdicts.override_verdict',
      'verdicts.override_reason',
      'verdicts.override_by',
      'verdicts.override_at',
    ])
    .where('alerts.organisation_id', '=', organisationId)
    .where('alerts.project_id', '=', projectId)
    .execute();
  return adviseAlerts(ctx, rows);
}

function timesOf(alert: InventoryAlert): Date[] {
  const { first_seen_at, resolved_at, computed_at, override_at, safe_version, advised_as_of } = alert;
  const advised_at = safe_version === null || resolved_at !== null ? null : advised_as_of;
  return [first_seen_at, resolved_at, computed_at, override_at, advised_at].filter((time) => time !== null);
}
