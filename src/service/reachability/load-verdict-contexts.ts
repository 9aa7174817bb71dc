import { sql } from 'kysely';
import { packageKey } from '../../shared/packages/package-name.js';
import type { Exposure } from '../../shared/vulnerability-terms.js';
import type { AlertRow } from '../alerts/alert-facts.js';
import { packageArrays } from '../alerts/tracked-packages.js';
import type { Transaction } from '../db/database.js';
import { inScope, refersTo } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { VerdictContext } from './alert-evidence.js';
import { loadVulnerableSymbols } from './load-vulnerable-symbols.js';
import type { UsageDependency } from './usage-report-rows.js';

/** What is the same for every verdict of a project. */
export interface ProjectEvidence {
  readonly exposure: Exposure;
  readonly reportComplete: boolean;
  readonly reportedAt: Date;
}

/** The project's exposure and newest report; undefined where no report has been uploaded: then there are no verdicts. */
export async function projectEvidence(tx: Transaction, key: ProjectKey): Promise<ProjectEvidence | undefined> {
  return tx
    .selectFrom('usage_reports')
    .innerJoin('projects', (join) => join.on(refersTo('usage_reports.project_id', 'projects')))
    .select(['projects.exposure', 'usage_reports.complete as reportComplete'])
    .select('usage_reports.received_at as reportedAt')
    .where(inScope(key, 'usage_reports'))
    .orderBy('usage_reports.ordinal', 'desc')
    .limit(1)
    .executeTakeFirst();
}

type PlacedAlert = Pick<AlertRow, 'ecosystem' | 'package_name' | 'advisory_ids' | 'cves' | 'epss'>;

/** The verdict context of each alert of a batch, by four queries however many alerts there are. */
export async function loadVerdictContexts(
  tx: Transaction,
  key: ProjectKey,
  alerts: readonly PlacedAlert[],
  project: ProjectEvidence,
): Promise<(alert: PlacedAlert) => VerdictContext> {
  const dependencies = await dependenciesByPackage(tx, key, alerts);
  const symbolsOf = await loadVulnerableSymbols(tx, alerts);
  const models = await modelsByScore(tx, alerts);
  return (alert) => ({
    ...project,
    dependencies: dependencies.get(packageKey(alert)) ?? [],
    vulnerableSymbols: symbolsOf(alert),
    epssModel: alert.cves.flatMap((cve) => models.get(`${cve} ${alert.epss}`) ?? [])[0] ?? null,
  });
}

async function dependenciesByPackage(tx: Transaction, key: ProjectKey, alerts: readonly PlacedAlert[]) {
  const { ecosystems, names } = packageArrays(alerts);
  const { rows } = await sql<UsageDependency>`
    select used.* from (
      select distinct * from unnest(${ecosystems}::text[], ${names}::text[])
    ) as wanted (ecosystem, package_name)
    join usage_dependencies as used
      on used.ecosystem = wanted.ecosystem and used.package_name = wanted.package_name
    where ${inScope(key, 'used')}
    order by used.version`.execute(tx);
  const found = new Map<string, UsageDependency[]>();
  for (const row of rows) found.set(packageKey(row), [...(found.get(packageKey(row)) ?? []), row]);
  return found;
}

/** The EPSS model by CVE and score. The alert's columns hold the score alone. */
async function modelsByScore(tx: Transaction, alerts: readonly PlacedAlert[]) {
  const cves = [...new Set(alerts.filter(({ epss }) => epss !== null).flatMap((alert) => alert.cves))];
  if (cves.length === 0) return new Map<string, string>();
  const rows = await tx
    .selectFrom('epss')
    .select(['cve', 'probability', 'model'])
    .where(sql<boolean>`cve = any (${cves}::text[])`)
    .execute();
  return new Map(rows.map(({ cve, probability, model }) => [`${cve} ${probability}`, model]));
}
