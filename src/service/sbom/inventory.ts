import type { Selectable } from 'kysely';
import type { Transaction } from '../db/database.js';
import type { Schema } from '../db/schema.js';
import type { ProjectKey } from '../projects/find-project.js';

export type InventoryItem = Pick<
  Selectable<Schema['tech_stack_items']>,
  'ecosystem' | 'name' | 'package_name' | 'version' | 'scope' | 'direct' | 'deprecated' | 'updated_at'
>;

/** An alert with its verdict, all of whose columns are null where there is none. */
export type InventoryAlert = Awaited<ReturnType<typeof loadAlerts>>[number];

/** A project's packages and alerts: everything that a document is made from. */
export interface Inventory {
  readonly project: { readonly id: string; readonly name: string; readonly repo: string | null };
  readonly organisation: string;
  readonly items: readonly InventoryItem[];
  /** Unordered, resolved ones included; empty where the document lists only components. */
  readonly alerts: readonly InventoryAlert[];
  /** The newest change among all these. A package that was removed from the stack does not count. */
  readonly changedAt: Date;
}

/** What a document lists: the components alone, or their vulnerabilities too. */
export type DocumentContents = 'components' | 'vulnerabilities';

/** Reads a project's inventory, with its alerts and verdicts where the document lists vulnerabilities. */
export async function loadInventory(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  contents: DocumentContents,
): Promise<Inventory> {
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
    .where('projects.organisation_id', '=', organisationId)
    .where('projects.id', '=', projectId)
    .executeTakeFirstOrThrow();
  const items = await tx
    .selectFrom('tech_stack_items')
    .select(['ecosystem', 'name', 'package_name', 'version', 'scope', 'direct', 'deprecated', 'updated_at'])
    .where('organisation_id', '=', organisationId)
    .where('project_id', '=', projectId)
    .execute();
  const alerts = contents === 'components' ? [] : await loadAlerts(tx, { organisationId, projectId });
  const { id, name, repo, organisation, updated_at } = project;
  const times = [updated_at, ...items.map((item) => item.updated_at), ...alerts.flatMap(timesOf)];
  const changedAt = new Date(times.reduce((newest, time) => Math.max(newest, time.getTime()), 0));
  return { project: { id, name, repo }, organisation, items, alerts, changedAt };
}

async function loadAlerts(tx: Transaction, { organisationId, projectId }: ProjectKey) {
  return tx
    .selectFrom('alerts')
    .leftJoin('verdicts', (join) =>
      join
        .onRef('verdicts.organisation_id', '=', 'alerts.organisation_id')
        .onRef('verdicts.alert_id', '=', 'alerts.id'),
    )
    .selectAll('alerts')
    .select([
      'verdicts.evidence',
      'verdicts.computed_at',
      'verdicts.override_verdict',
      'verdicts.override_reason',
      'verdicts.override_by',
      'verdicts.override_at',
    ])
    .where('alerts.organisation_id', '=', organisationId)
    .where('alerts.project_id', '=', projectId)
    .execute();
}

function timesOf({ first_seen_at, resolved_at, computed_at, override_at }: InventoryAlert): Date[] {
  return [first_seen_at, resolved_at, computed_at, override_at].filter((time) => time !== null);
}
