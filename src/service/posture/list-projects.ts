import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod';
import type { posture } from '../../procedures/posture.js';
import { type Domain, domains, priorityOfTier } from '../../procedures/risk.js';
import type { Exposure, Tier } from '../../shared/vulnerability-terms.js';
import { isResolved } from '../alerts/alert-row.js';
import type { Handlers } from '../api/handler.js';
import type { FindingCount } from '../counts/finding-counts.js';
import { isLookedAt } from '../coverage/projects-searched.js';
import type { Transaction } from '../db/database.js';
import { isProjectOf, type Scope } from '../db/scope.js';
import { loadPage, offsetOf, pageAnswer } from '../http/page.js';
import { groupOfRow } from '../projects/find-group.js';
import { listScope } from '../projects/list-scope.js';

type ListInput = z.output<typeof posture.listProjects.input>;
interface Sought {
  readonly q?: string | undefined;
  /** Only projects in which nothing of these domains was looked at. */
  readonly never_scanned?: readonly Domain[] | undefined;
}
type PageInput = Omit<ListInput, 'group' | 'q'> & Sought;
type ProjectPosture = z.output<typeof posture.listProjects.output>['items'][number];

interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly exposure: Exposure;
  readonly group: ProjectPosture['group'];
  readonly exploited: number;
  readonly highest: number | null;
  readonly packages: number;
  readonly stack_changed_at: Date | null;
  readonly usage_reported_at: Date | null;
  readonly code_at: Date | null;
  readonly app_at: Date | null;
  readonly containers_at: Date | null;
  readonly counts: ReadonlyArray<{
    readonly domain: Domain;
    readonly tier: Tier;
    readonly band: FindingCount['band'];
    readonly count: number;
  }>;
}

export const listPostures: Handlers['posture']['listProjects'] = async (ctx, { group, ...input }) =>
  pageOfPostures(ctx.tx, await listScope(ctx, { group }), input);

async function pageOfPostures(tx: Transaction, scope: Scope, input: PageInput) {
  const [{ rows }, { rows: counted }] = await Promise.all([
    projectsPage(scope, input).execute(tx),
    sql<{ readonly total: number }>`
      select count(*)::int as total from projects where ${isMeant(scope, input)}`.execute(tx),
  ]);
  return pageAnswer(input, counted[0]?.total ?? 0, rows.map(toPosture));
}

/** The projects themselves, by name or in the order of their posture: then with what this order is made of. */
export const listProjects: Handlers['projects']['list'] = async (ctx, { group, ...input }) => {
  const scope = await listScope(ctx, { group });
  const own = ctx.tx.selectFrom('projects').where(isMeant(scope, input)).selectAll().select(groupOfRow);
  if (input.sort !== 'worst') return loadPage(input, own.orderBy(sql`lower(name)`));
  const { items: ranked, ...page } = await pageOfPostures(ctx.tx, scope, { ...input, sort: 'worst' });
  const ids = ranked.map(({ id }) => id);
  const rows = await own.where(sql<boolean>`id = any (${ids}::text[])`).execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  const items = ranked.flatMap(({ id, known_exploited, highest_effective_priority, open }) => {
    const row = known.get(id);
    return row === undefined ? [] : [{ ...row, known_exploited, highest_effective_priority, open: inAll(open) }];
  });
  return { ...page, items };
};

function inAll(open: ProjectPosture['open']) {
  const sum = (tier: keyof ProjectPosture['open']['code']) =>
    Object.values(open).reduce((total, counts) => total + counts[tier], 0);
  return { red: sum('red'), yellow: sum('yellow'), green: sum('green') };
}

function isMeant(scope: Scope, { q, never_scanned = [] }: Sought): RawBuilder<boolean> {
  const named = q === undefined ? sql`` : sql` and position(lower(${q}) in lower(name)) > 0`;
  const unseen = never_scanned.map((domain) => sql` and not ${isLookedAt(domain)}`);
  return sql<boolean>`${isProjectOf(scope)}${named}${sql.join(unseen, sql``)}`;
}

const openCounts = sql`source = '' and state in ('open', 'open_acknowledged') and domain = any (${[...domains]}::text[])`;

/** What a project has been looked at with is read for the rows of the page alone; what they are ordered by, for all. */
export function projectsPage(scope: Scope, input: PageInput): RawBuilder<ProjectRow> {
  const { organisationId } = scope;
  const ranked = input.sort === 'name' ? byName(scope, input) : worstFirst(scope, input);
  const ofProject = sql`organisation_id = ${organisationId} and project_id = page.id`;
  const lastScan = (domain: Domain) => sql`(
    select max(at) from (values (true), (false)) as ran (hosted) cross join lateral (
      select coalesce(finished_at, queued_at) as at from scan_jobs
      where ${ofProject} and domain = ${domain} and hosted = ran.hosted and status = 'done'
      order by queued_at desc limit 1
    ) as last)`;
  return sql<ProjectRow>`
    with page as materialized (${ranked} limit ${input.page_size} offset ${offsetOf(input)})
    select page.id, page.name, page.exposure,
      (select ${groupOfRow} from projects where organisation_id = ${organisationId} and id = page.id),
      ((select count(*) from alerts where ${ofProject} and kev_added is not null and ${isResolved.no})
        + (select count(*) from findings where ${ofProject} and kev_added is not null and state = 'open'))::int as exploited,
      ${highestPriority(organisationId, 'page.id')} as highest,
      coalesce(stack.packages, 0)::int as packages,
      greatest(stack.changed_at, (select max(updated_at) from stack_sources where ${ofProject})) as stack_changed_at,
      (select received_at from usage_reports where ${ofProject} order by ordinal desc limit 1) as usage_reported_at,
      ${lastScan('code')} as code_at, ${lastScan('running_app')} as app_at, ${lastScan('containers')} as containers_at,
      (select coalesce(jsonb_agg(counted), '[]') from (
        select domain, tier, band, sum(count) as count from posture_counts where ${ofProject} and ${openCounts}
        group by domain, tier, band
      ) as counted) as counts
    from page left join lateral (
      select sum(packages) as packages, max(changed_at) as changed_at from stack_counts where ${ofProject}
    ) as stack on true
    order by page.place`;
}

const projectName = sql`lower(name) collate "C", id`;

function byName(scope: Scope, sought: Sought) {
  return sql`select id, name, exposure, row_number() over (order by ${projectName}) as place
    from projects where ${isMeant(scope, sought)} order by place`;
}

/** The highest EffectivePriority of open alerts. By the order of the index `alerts_worst_first`, whose first column it repeats. */
function highestPriority(organisationId: string, project: string) {
  return sql`(
    select effective_priority from alerts
    where organisation_id = ${organisationId} and project_id = ${sql.ref(project)} and ${isResolved.no}
    order by (resolved_at is not null), effective_priority desc nulls last limit 1
  )`;
}

/** A RED or YELLOW finding without a verdict counts as in the ranking of risks, if no verdict is higher. */
function worstFirst(scope: Scope, sought: Sought) {
  const { organisationId } = scope;
  const unjudged = (tier: Tier) =>
    sql`max(${sql.lit(priorityOfTier[tier])}) filter (where tier = ${tier} and band in ('', 'unanalyzed') and count > 0)`;
  const openOf = (tier: Tier) => sql`sum(count) filter (where tier = ${tier})`;
  return sql`
    select id, name, exposure, row_number() over (order by coalesce(exploited.count, 0) desc,
      greatest(${highestPriority(organisationId, 'project.id')}, open.unjudged, -1) desc, coalesce(open.red, 0) desc, coalesce(open.yellow, 0) desc,
      coalesce(open.green, 0) desc, ${projectName}) as place
    from (select id, name, exposure from projects where ${isMeant(scope, sought)}) as project
    left join (
      select project_id, count(*) as count from (
        select project_id from alerts
        where organisation_id = ${organisationId} and kev_added is not null and ${isResolved.no}
        union all
        select project_id from findings
        where organisation_id = ${organisationId} and kev_added is not null and state = 'open'
      ) as each group by project_id
    ) as exploited on exploited.project_id = project.id
    left join (
      select project_id, greatest(${unjudged('RED')}, ${unjudged('YELLOW')}) as unjudged,
        ${openOf('RED')} as red, ${openOf('YELLOW')} as yellow, ${openOf('GREEN')} as green
      from posture_counts where organisation_id = ${organisationId} and ${openCounts} group by project_id
    ) as open on open.project_id = project.id
    order by place`;
}

function toPosture(row: ProjectRow): ProjectPosture {
  const none = () => ({ red: 0, yellow: 0, green: 0 });
  const open = { dependencies: none(), code: none(), running_app: none(), containers: none() };
  const bands = { known_exploited: 0, likely_exploitable: 0, needs_review: 0, likely_not_exploitable: 0 };
  const verdicts = { ...bands, unanalyzed: 0 };
  for (const { domain, tier, band, count } of row.counts) {
    open[domain][tierNames[tier]] += count;
    if (band !== '') verdicts[band] += count;
  }
  return {
    id: row.id,
    name: row.name,
    exposure: row.exposure,
    group: row.group,
    open,
    verdicts,
    known_exploited: row.exploited,
    highest_effective_priority: row.highest,
    packages: row.packages,
    stack_changed_at: row.stack_changed_at,
    usage_reported_at: row.usage_reported_at,
    scanned_at: { code: row.code_at, running_app: row.app_at, containers: row.containers_at },
  };
}

const tierNames = { RED: 'red', YELLOW: 'yellow', GREEN: 'green' } as const;
