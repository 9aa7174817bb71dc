import type { Selectable } from 'kysely';
import { worseFirst } from '../../../src/gateway/composites/worse-first.js';
import type { Domain, RankedFinding } from '../../../src/procedures/risk.js';
import type { Database } from '../../../src/service/db/database.js';
import type { Schema } from '../../../src/service/db/schema.js';
import { compareText } from '../../../src/shared/text/compare-text.js';

type AlertRow = Selectable<Schema['alerts']>;
type FindingRow = Selectable<Schema['findings']>;

/** A finding by its row alone, without what triggers maintain. */
export interface Recounted {
  readonly id: string;
  readonly domain: Domain;
  readonly projectId: string;
  readonly open: boolean;
  readonly acknowledged: boolean;
  readonly suppressed: boolean;
  readonly deEscalated: boolean;
  readonly band: AlertRow['verdict_band'];
  /** What it is compared by; null where it is not ranked. */
  readonly ranked: RankedFinding | null;
  /** What decides between equally ranked ones, in this order, as text: of alerts first the CVSS score, highest first. */
  readonly names: readonly string[];
  readonly tier: 'RED' | 'YELLOW' | 'GREEN';
  readonly severity: RankedFinding['severity'];
}

/** Every finding of an organisation, read row by row. */
export async function recount(database: Database, organisationId: string): Promise<Recounted[]> {
  return database.system(async (tx) => {
    const alerts = await tx
      .selectFrom('alerts')
      .leftJoin('verdicts', 'verdicts.alert_id', 'alerts.id')
      .selectAll('alerts')
      .select('verdicts.override_verdict as override')
      .where('alerts.organisation_id', '=', organisationId)
      .execute();
    const findings = await tx
      .selectFrom('findings')
      .selectAll()
      .where('organisation_id', '=', organisationId)
      .where('removed_in', '=', 0)
      .execute();
    return [...alerts.map(ofAlert), ...findings.map(ofFinding)];
  });
}

function ofAlert({ override, ...row }: AlertRow & { readonly override: string | null }): Recounted {
  const severity = row.severity === 'moderate' ? 'medium' : (row.severity ?? 'unknown');
  const open = row.resolved_at === null;
  const acknowledged = row.acknowledged_at !== null;
  const deEscalated = row.verdict_band === 'likely_not_exploitable';
  const reachable = row.usage === 'called' || row.usage === 'imported' || override === 'Exploitable';
  return {
    ...{ id: row.id, domain: 'dependencies', projectId: row.project_id, tier: row.tier, severity },
    ...{ open, suppressed: false, acknowledged, deEscalated, band: row.verdict_band },
    names: [String(1_000 - (row.cvss_score ?? -1)), row.package_name, row.vulnerability_id, row.id],
    ranked:
      open && !acknowledged && !deEscalated
        ? {
            ...blank(row.id, row.project_id, 'dependencies'),
            ...{ tier: row.tier, severity, epss: row.epss, effective_priority: row.effective_priority },
            risk: riskOf(row.kev_added !== null, reachable, row.tier),
          }
        : null,
  };
}

function ofFinding(row: FindingRow): Recounted {
  const { id, domain, tier, severity, project_id: projectId } = row;
  const open = row.state === 'open';
  const inProduction = JSON.stringify(row.details).includes('"in_production":true');
  const reachable = domain === 'code' && inProduction && tier !== 'GREEN';
  return {
    ...{ id, domain, projectId, tier, severity, open, suppressed: row.state === 'suppressed' },
    ...{ acknowledged: false, deEscalated: false, band: null },
    names: [row.rule_id, row.identity.toString('hex'), id],
    ranked: open
      ? {
          ...blank(id, projectId, domain),
          ...{ tier, severity, epss: row.epss, risk: riskOf(row.kev_added !== null, reachable, tier) },
        }
      : null,
  };
}

function riskOf(exploited: boolean, reachable: boolean, tier: Recounted['tier']): RankedFinding['risk'] {
  if (exploited) return 'known_exploited';
  if (reachable) return 'reachable';
  return tier === 'RED' ? 'critical' : 'other';
}

/** What no finding is compared by. */
function blank(id: string, projectId: string, domain: Domain) {
  const nothing = { cve: null, package: null, location: null, usage: null, effective_priority: null, kev: false };
  return { id, domain, project: { id: projectId, name: '' }, title: '', ...nothing };
}

/** Ids of the `count` worst. */
export function worstIds(findings: readonly Recounted[], count: number): string[] {
  const ranked = findings.flatMap(({ ranked: rank, names }) => (rank === null ? [] : [{ rank, names }]));
  return ranked
    .toSorted((a, b) => worseFirst(a.rank, b.rank) || compareAll(a.names, b.names))
    .slice(0, count)
    .map(({ rank }) => rank.id);
}

function compareAll(a: readonly string[], b: readonly string[]): number {
  return a.reduce((order, name, nth) => order || compareText(name, b[nth] ?? ''), 0);
}
