import { sql } from 'kysely';
import { detailLimits, type ReferenceKind, referenceKind } from '../../procedures/alert-details.js';
import { clip } from '../../shared/text/cut.js';
import type { AlertRow } from '../alerts/alert-facts.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import type { GraphNode } from '../tech-stack/bringers.js';

/** Packages of which a way is looked for at most: reading more would take others' time. */
const maxNodes = 20_000;

export interface AdvisoryTexts {
  readonly details: string | null;
  readonly cwes: readonly string[];
  readonly references: readonly string[];
  readonly reference_kinds: readonly string[];
}

/** The texts of the alert's advisories, in the order in which its facts are taken from them: GHSA's first, then by id. */
export async function loadTexts(tx: Transaction, { advisory_ids }: AlertRow): Promise<AdvisoryTexts[]> {
  const { rows } = await sql<AdvisoryTexts>`
    select details, cwes, "references", reference_kinds from advisories where id = any (${advisory_ids}::text[])
    order by (id not like 'GHSA-%'), id collate "C"`.execute(tx);
  return rows;
}

/** The first that has words. */
export function descriptionOf(texts: readonly AdvisoryTexts[]): string | null {
  const words = texts.find(({ details }) => details !== null)?.details ?? null;
  return words === null ? null : clip(words, detailLimits.description);
}

/** Each address once, in the order of kinds. A very long one is left out: cut, it would lead nowhere. */
export function referencesOf(texts: readonly AdvisoryTexts[]): { kind: ReferenceKind; url: string }[] {
  const kinds = new Map<string, ReferenceKind>();
  for (const { references, reference_kinds } of texts) {
    for (const [nth, url] of references.entries()) {
      if (url.length > detailLimits.url || kinds.has(url)) continue;
      kinds.set(url, referenceKind.safeParse(reference_kinds[nth]).data ?? 'web');
    }
  }
  const order = referenceKind.options;
  return [...kinds]
    .map(([url, kind]) => ({ kind, url }))
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    .slice(0, detailLimits.references);
}

/** All packages of the sources that have the alert's package; null where they are too many. */
export async function loadGraph(tx: Transaction, alert: AlertRow): Promise<GraphNode[] | null> {
  const ofProject = inScope({ organisationId: alert.organisation_id, projectId: alert.project_id });
  const { rows } = await sql<GraphNode>`
    select source, ecosystem, name, package_name, version, direct, array_to_string(dependencies, E'\n') as dependencies
    from tech_stack_items
    where ${ofProject} and source in (
      select source from tech_stack_items
      where ${ofProject} and ecosystem = ${alert.ecosystem} and package_name = ${alert.package_name}
    )
    order by source, ecosystem, package_name, version
    limit ${maxNodes + 1}`.execute(tx);
  return rows.length > maxNodes ? null : rows;
}

/** Whether the project asks for the package itself; null where no source says so. */
export async function isDirect(tx: Transaction, alert: AlertRow): Promise<boolean | null> {
  const { rows } = await sql<{ readonly direct: boolean | null }>`
    select bool_or(direct) as direct from tech_stack_items
    where ${inScope({ organisationId: alert.organisation_id, projectId: alert.project_id })}
      and ecosystem = ${alert.ecosystem} and package_name = ${alert.package_name}
      and version = any (${alert.versions}::text[])`.execute(tx);
  return rows[0]?.direct ?? null;
}

/**
 * Open alerts on the package whose affected versions the same upgrade replaces. The version that it goes to is one that no
 * known advisory affects, so it closes all of them.
 */
export async function countClosed(tx: Transaction, alert: AlertRow): Promise<number> {
  const { rows } = await sql<{ readonly closed: number }>`
    select count(*)::int as closed from alerts
    where ${inScope({ organisationId: alert.organisation_id, projectId: alert.project_id })}
      and ecosystem = ${alert.ecosystem} and package_name = ${alert.package_name} and resolved_at is null
      and versions <@ ${alert.versions}::text[]`.execute(tx);
  return rows[0]?.closed ?? 0;
}
