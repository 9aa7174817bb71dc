import { sql } from 'kysely';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { OverrideVerdict } from '../../shared/vulnerability-terms.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import { readPages } from '../jobs/pages.js';
import type { Landing } from '../landing/landing.js';
import type { ProjectKey } from '../projects/find-project.js';
import { allUnits, type MatchedAlert } from './alert-units.js';

interface AlertRow {
  readonly id: string;
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly vulnerability_id: string;
  readonly cves: readonly string[];
  readonly advisory_ids: readonly string[];
  readonly versions: readonly string[];
  readonly is_resolved: boolean;
  readonly verdict_id: string | null;
  readonly override_verdict: OverrideVerdict | null;
  readonly advisories: readonly Advisory[];
}

interface Advisory {
  readonly id: string;
  readonly cves: readonly string[];
  readonly aliases: readonly string[];
}

/**
 * The project's alerts on any of the named vulnerabilities, with all names that we hold for each. Read in pages, because a
 * document's ids say nothing of where an alert with another name of the same vulnerability stands.
 *
 * @param isNamed whether the document names an id, given in lower case
 */
export async function loadNamedAlerts(
  step: Landing<never>['step'],
  key: ProjectKey,
  isNamed: (id: string) => boolean,
): Promise<MatchedAlert[]> {
  const matched: MatchedAlert[] = [];
  const read = (tx: Transaction, after: AlertRow | undefined, limit: number) =>
    readPage(tx, key, after?.id ?? '', limit);
  for await (const rows of readPages(step, { first: 500, most: 2_000 }, read)) {
    for (const row of rows) {
      const alert = toMatchedAlert(row);
      if ([...alert.names.keys()].some(isNamed)) matched.push(alert);
    }
  }
  return matched;
}

async function readPage(tx: Transaction, key: ProjectKey, after: string, limit: number): Promise<AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    select alerts.id, alerts.ecosystem, alerts.package_name, alerts.vulnerability_id, alerts.cves, alerts.advisory_ids,
      alerts.versions, alerts.resolved_at is not null as is_resolved, verdicts.id as verdict_id, verdicts.override_verdict,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', advisories.id, 'cves', advisories.cves, 'aliases', advisories.aliases))
        from advisories where advisories.id = any (alerts.advisory_ids)
      ), '[]') as advisories
    from alerts left join verdicts
      on verdicts.organisation_id = alerts.organisation_id and verdicts.alert_id = alerts.id
    where ${inScope(key, 'alerts')} and alerts.id > ${after}
    order by alerts.id limit ${limit}`.execute(tx);
  return rows;
}

function toMatchedAlert(row: AlertRow): MatchedAlert {
  const vulnerabilities = row.cves.length > 0 ? row.cves : [row.vulnerability_id];
  return {
    id: row.id,
    ecosystem: row.ecosystem,
    package_name: row.package_name,
    vulnerabilityId: row.vulnerability_id,
    versions: row.versions,
    isResolved: row.is_resolved,
    verdictId: row.verdict_id,
    override: row.override_verdict,
    names: namesOf(row, vulnerabilities),
    units: allUnits(vulnerabilities, row.versions),
  };
}

/** A CVE covers itself. An advisory, by its id or an alias, covers its CVEs: there may be several in one alert. */
function namesOf(row: AlertRow, vulnerabilities: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  const add = (id: string, covered: readonly string[]) => {
    const name = id.toLowerCase();
    names.set(name, [...new Set([...(names.get(name) ?? []), ...covered])]);
  };
  for (const vulnerability of vulnerabilities) add(vulnerability, [vulnerability]);
  for (const { id, cves, aliases } of row.advisories) {
    const own = cves.filter((cve) => vulnerabilities.includes(cve));
    const covered = own.length > 0 ? own : vulnerabilities;
    for (const name of [id, ...aliases]) if (!vulnerabilities.includes(name)) add(name, covered);
  }
  for (const id of row.advisory_ids) if (!names.has(id.toLowerCase())) add(id, vulnerabilities);
  return names;
}
