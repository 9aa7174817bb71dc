import { createHash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { reachability } from '../../procedures/reachability.js';
import { effectiveVerdict } from '../../verdict/band.js';
import type { EvidenceSources, StoredEvidence } from '../../verdict/evidence.js';
import type { FormulaName } from '../../verdict/formula.js';
import { evidenceSignature, machineVerdict } from '../../verdict/machine-verdict.js';
import { reasoning } from '../../verdict/reasoning.js';
import { nameOf, packageRefOf } from '../alerts/alert-row.js';
import type { Transaction } from '../db/database.js';
import type { Schema } from '../db/schema.js';
import { isListed, refersTo, type Scope } from '../db/scope.js';
import { notFound } from '../http/api-error.js';

export type Verdict = z.output<typeof reachability.getVerdict.output>;
type VerdictRow = Selectable<Schema['verdicts']> & Pick<Selectable<Schema['alerts']>, (typeof alertColumns)[number]>;

/** SHA-256 of the evidence that an override is a decision about. */
export function signatureOf(evidence: StoredEvidence, name?: FormulaName): Buffer {
  return createHash('sha256').update(evidenceSignature(evidence, name)).digest();
}

/** The verdicts of a project or of all, joined with their alerts. */
export function verdictsOf(tx: Transaction, scope: Scope) {
  return tx
    .selectFrom('verdicts')
    .innerJoin('alerts', (join) => join.on(refersTo('verdicts.alert_id', 'alerts')))
    .where(isListed(scope, 'alerts'));
}

/** The columns of alerts that `toVerdict` reads in addition to those of verdicts. */
export const alertColumns = ['vulnerability_id', 'ecosystem', 'package_name', 'name', 'advisory_ids'] as const;

/** Each verdict has a report, because reports are deleted only together with their project. */
const noSources: EvidenceSources = { analyzer: 'unknown', reportedAt: new Date(0), kevCatalogue: null };

/** What all verdicts of a project are based on: its newest report and the current KEV catalogue. By project. */
export async function evidenceSources(
  tx: Transaction,
  organisationId: string,
  projectIds: readonly string[],
): Promise<(projectId: string) => EvidenceSources> {
  const { rows } = await sql<{ id: string; analyser: string; generated_at: Date; kev: string | null }>`
    select project.id, analyser, generated_at,
      (select (coalesce(published_at, loaded_at) at time zone 'utc')::date from feeds where name = 'kev') as kev
    from unnest(${[...new Set(projectIds)]}::text[]) as project (id)
    cross join lateral (
      select analyser, generated_at from usage_reports
      where organisation_id = ${organisationId} and project_id = project.id
      order by ordinal desc limit 1
    ) as newest`.execute(tx);
  const sources = new Map(
    rows.map(({ id, analyser, generated_at, kev }) => [
      id,
      { analyzer: analyser, reportedAt: generated_at, kevCatalogue: kev },
    ]),
  );
  return (projectId) => sources.get(projectId) ?? noSources;
}

/** One verdict of the project, or of any; or 404. */
export async function requireVerdict(tx: Transaction, scope: Scope, verdictId: string): Promise<Verdict> {
  const row = await verdictsOf(tx, scope)
    .selectAll('verdicts')
    .select(alertColumns)
    .where('verdicts.id', '=', verdictId)
    .executeTakeFirstOrThrow(() => notFound('verdict'));
  const sourcesOf = await evidenceSources(tx, scope.organisationId, [row.project_id]);
  return toVerdict(row, sourcesOf(row.project_id));
}

/** A verdict as the API returns it. */
export function toVerdict(row: VerdictRow, sources: EvidenceSources): Verdict {
  const { evidence } = row;
  const machine = machineVerdict(evidence, row.formula);
  const effective = effectiveVerdict(machine, row.override_verdict);
  return {
    id: row.id,
    project_id: row.project_id,
    alert_id: row.alert_id,
    cve: row.vulnerability_id.startsWith('CVE-') ? row.vulnerability_id : null,
    advisory_ids: row.advisory_ids,
    package: packageRefOf(row.ecosystem, nameOf(row)),
    versions: [...evidence.versions],
    effective_priority: effective.score,
    band: effective.band,
    machine: {
      effective_priority: machine.score,
      band: machine.band,
      risk: machine.risk,
      usage_factor: machine.usageFactor,
      exposure_factor: machine.exposureFactor,
      raised_to_floor: machine.raisedToFloor,
      formula: machine.formula,
      computed_at: row.computed_at,
    },
    evidence: toEvidence(evidence, sources),
    reasoning: reasoning(nameOf(row), evidence, sources, machine),
    override: toOverride(row),
    revision: row.revision,
  };
}

function toEvidence({ usage, exploit, exposure }: StoredEvidence, sources: EvidenceSources): Verdict['evidence'] {
  return {
    usage: {
      class: usage.usage,
      confidence: usage.confidence,
      vulnerable_symbols: [...usage.vulnerableSymbols],
      symbols: usage.symbols ?? null,
      sites: usage.sites.map((site) => ({ ...site, symbols: [...site.symbols] })),
      site_count: usage.siteCount,
      paths: usage.paths.map((path) => [...path]),
      chain: (usage.chain ?? []).map((step) => ({ ...step })),
      searched: usage.searched ?? null,
      gaps: [...(usage.gaps ?? [])],
      analyser: sources.analyzer,
      reported_at: sources.reportedAt,
    },
    exploit: {
      severity: exploit.severity,
      cvss: exploit.cvss,
      attack_vector: exploit.attackVector,
      epss: exploit.epss,
      kev: exploit.kev && { date_added: exploit.kev.dateAdded },
      kev_catalogue: sources.kevCatalogue,
    },
    exposure,
  };
}

/** The override of a verdict, with whether its evidence has changed since. */
export function toOverride(row: Selectable<Schema['verdicts']>): Verdict['override'] {
  const { override_verdict: verdict, override_reason: reason, override_by: set_by, override_at: set_at } = row;
  if (verdict === null || reason === null || set_by === null || set_at === null) return null;
  return {
    verdict,
    reason,
    set_by,
    set_at,
    expires_at: row.override_expires_at,
    evidence_changed_since_override: row.override_signature?.equals(signatureOf(row.evidence, row.formula)) !== true,
  };
}
