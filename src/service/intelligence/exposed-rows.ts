import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod';
import type { intelligence } from '../../procedures/intelligence.js';
import { type Domain, domains } from '../../procedures/risk.js';
import { ecosystemOfPurlType } from '../../shared/packages/purl.js';
import type { AlertRow } from '../alerts/alert-facts.js';
import { bandOf, packageRefOf, statusOf } from '../alerts/alert-row.js';
import type { VulnerabilityGroup } from '../alerts/vulnerability-group.js';
import { findingDetails } from '../containers/finding-details.js';
import type { Transaction } from '../db/database.js';
import { ofLivingProject, type Scope } from '../db/scope.js';
import type { FindingRow } from '../findings/finding-row.js';
import { key, type List } from '../http/list-order.js';
import { isNew, type Paging, partsOf } from '../http/page.js';
import { codeLocation } from '../sast/code-finding.js';

type ExposedRow = z.output<typeof intelligence.findExposed.output>['items'][number];
type Exposed = Pick<VulnerabilityGroup, 'ids' | 'otherCves'>;

/** What about a vulnerability a domain has. */
export interface ExposedCount {
  readonly all: number;
  readonly open: number;
  /** Accepted by the report itself. */
  readonly suppressed: number;
}

/**
 * The alerts and findings about a vulnerability, with the keys of their order. Ids are compared as texts, because row-level
 * security needs leakproof operators to use an index; lists of ids then decide among the few rows that are left.
 */
export function exposedRows(scope: Scope, { ids, otherCves }: Exposed): RawBuilder<unknown> {
  const { organisationId } = scope;
  const names = sql`${[...ids]}::text[]`;
  return sql`
    select * from (
      select 'dependencies' as domain, id, project_id, resolved_at is not null as resolved, false as suppressed,
        kev_added is not null as kev, tier_rank, epss, cvss_score as score, first_seen_at
      from alerts
      where organisation_id = ${organisationId} and vulnerability_id = any (${[...ids, ...otherCves]}::text[])
        and (vulnerability_id = any (${names}) or cves && ${names} or advisory_ids && ${names})
      union all
      select domain, id, project_id, state = 'fixed', state = 'suppressed', kev_added is not null, tier_rank, epss, null, first_seen_at
      from findings
      where organisation_id = ${organisationId} and (id, added_in) in (
        select id, added_in from findings where organisation_id = ${organisationId} and rule_id = any (${names})
        union
        select finding_id, added_in from finding_names where organisation_id = ${organisationId} and name = any (${names})
      )
    ) as named where ${ofLivingProject(scope)}`;
}

export async function countExposed(
  tx: Transaction,
  scope: Scope,
  group: Exposed,
  paging: Pick<Paging, 'since'>,
): Promise<Record<Domain, ExposedCount>> {
  const { rows } = await sql<ExposedCount & { readonly domain: Domain }>`
    select domain, count(*)::integer as all, count(*) filter (where suppressed)::integer as suppressed,
      count(*) filter (where not resolved and not suppressed)::integer as open
    from (${exposedRows(scope, group)}) as exposed where ${isNew(exposedFirst, paging) ?? sql`true`} group by domain`.execute(
    tx,
  );
  const countOf = (domain: Domain): ExposedCount =>
    rows.find((row) => row.domain === domain) ?? { all: 0, open: 0, suppressed: 0 };
  const [dependencies, code, running_app, containers] = domains.map(countOf);
  const none = { all: 0, open: 0, suppressed: 0 };
  return {
    dependencies: dependencies ?? none,
    code: code ?? none,
    running_app: running_app ?? none,
    containers: containers ?? none,
  };
}

/** Resolved rows come last; before that known exploited, then tier, EPSS, CVSS and the project's name. */
const exposedFirst: List = {
  keys: [
    key('exposed.resolved', 'bool'),
    key('exposed.suppressed', 'bool'),
    key('exposed.kev', 'bool', 'desc'),
    key('exposed.tier_rank', 'numeric'),
    key('exposed.epss', 'float8', 'desc', 'nullable'),
    key('exposed.score', 'float8', 'desc', 'nullable'),
    key(sql`lower(projects.name)`, 'text'),
    key('projects.id', 'text'),
    key('exposed.domain', 'text'),
    key('exposed.id', 'text'),
  ],
  appeared: sql`exposed.first_seen_at`,
};

interface ExposedPlace {
  readonly domain: Domain;
  readonly id: string;
  readonly project_name: string;
}

/** Which rows a page has. */
export async function exposedPlaces(tx: Transaction, scope: Scope, group: Exposed, paging: Paging) {
  const { isAfter = sql`true`, order, place, limit, offset } = partsOf(exposedFirst, paging);
  const { rows } = await sql<ExposedPlace & { readonly place: string }>`
    select exposed.domain, exposed.id, projects.name as project_name, ${place}
    from (${exposedRows(scope, group)}) as exposed
    join projects on projects.organisation_id = ${scope.organisationId} and projects.id = exposed.project_id
    where ${isNew(exposedFirst, paging) ?? sql`true`} and ${isAfter}
    order by ${order} limit ${limit} offset ${offset}`.execute(tx);
  return rows;
}

/** The rows themselves; undefined for one that is gone meanwhile. */
export async function loadExposed(
  tx: Transaction,
  { organisationId }: Scope,
  rows: readonly ExposedPlace[],
): Promise<(ExposedRow | undefined)[]> {
  const idsOf = (isWanted: (domain: Domain) => boolean) =>
    rows.filter(({ domain }) => isWanted(domain)).map(({ id }) => id);
  const alerts = await readByIds<AlertRow>(
    tx,
    organisationId,
    'alerts',
    idsOf((each) => each === 'dependencies'),
  );
  const findings = await readByIds<FindingRow>(
    tx,
    organisationId,
    'findings',
    idsOf((each) => each !== 'dependencies'),
  );
  return rows.map(({ domain, id, project_name }) => {
    const alert = domain === 'dependencies' ? alerts.get(id) : undefined;
    if (alert !== undefined) return { project_name, ...ofAlert(alert) };
    const finding = domain === 'dependencies' ? undefined : findings.get(id);
    return finding && { project_name, ...ofFinding(finding) };
  });
}

async function readByIds<Row extends { readonly id: string }>(
  tx: Transaction,
  organisationId: string,
  table: 'alerts' | 'findings',
  ids: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)}
    where organisation_id = ${organisationId} and id = any (${[...ids]}::text[])`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

function ofAlert(row: AlertRow): Omit<ExposedRow, 'project_name'> {
  return {
    project_id: row.project_id,
    domain: 'dependencies',
    id: row.id,
    alert_id: row.id,
    location: null,
    package: packageRefOf(row.ecosystem, row.package_name),
    versions: row.versions,
    tier: row.tier,
    band: bandOf(row),
    status: statusOf(row),
  };
}

const statuses = { open: 'open', suppressed: 'suppressed', fixed: 'resolved' } as const;

function ofFinding(row: FindingRow): Omit<ExposedRow, 'project_name'> {
  const found = row.domain === 'containers' ? findingDetails.parse(row.details).package : null;
  return {
    project_id: row.project_id,
    domain: row.domain,
    id: row.id,
    alert_id: null,
    location: row.domain === 'code' ? codeLocation(row) : row.source,
    package: found === null ? null : packageOf(found),
    versions: found === null || found.version === '' ? [] : [found.version],
    tier: row.tier,
    band: null,
    status: statuses[row.state],
  };
}

/** The package of an image. The system's packages belong to no ecosystem of ours. */
function packageOf({ name, type }: { readonly name: string; readonly type: string }): ExposedRow['package'] {
  const ecosystem = ecosystemOfPurlType(type);
  return ecosystem === null ? { ecosystem, name, purl: null } : packageRefOf(ecosystem, name);
}
