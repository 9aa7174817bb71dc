import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod';
import type { posture } from '../../procedures/posture.js';
import type { projects } from '../../procedures/projects.js';
import { type Domain, domains, priorityOfTier } from '../../procedures/risk.js';
import type { Exposure, Tier } from '../../shared/vulnerability-terms.js';
import { isResolved } from '../alerts/alert-row.js';
import type { Context, Handlers } from '../api/handler.js';
import type { FindingCount } from '../counts/finding-counts.js';
import { isLookedAt } from '../coverage/projects-searched.js';
import { isProjectOf, type Scope } from '../db/scope.js';
import { all, type Conditions, conditionsOf, type FiltersOf } from '../http/filters.js';
import { key, type List } from '../http/list-order.js';
import { answerPage, asOf, isNew, loadPage, type Paging, partsOf, withItems } from '../http/page.js';
import { groupOfRow } from '../projects/find-group.js';
import { listScope } from '../projects/list-scope.js';

type ListInput = z.output<typeof posture.listProjects.input>;
type Filters = FiltersOf<ListInput> & FiltersOf<z.output<typeof projects.list.input>>;
/** `sort` is the order, and no filter. */
type Sought = Omit<Filters, 'sort'> & Pick<Paging, 'since' | 'changed_since'>;
type PageInput = Sought & Paging & Pick<ListInput, 'sort'>;
type ProjectPosture = z.output<typeof posture.listProjects.output>['items'][number];

interface ProjectRow {
  readonly id: string;
  readonly place: string;
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
  pageOfPostures(ctx, await listScope(ctx, { group }), input);

async function pageOfPostures(ctx: Context, scope: Scope, input: PageInput) {
  const { tx } = ctx;
  const query = projectsPage(scope, input);
  const [as_of, { rows }, { rows: counted }] = await Promise.all([
    asOf(ctx, input),
    query.execute(tx),
    sql<{ readonly total: number }>`
      select count(*)::int as total from projects where ${isMeant(scope, input)}`.execute(tx),
  ]);
  const page = answerPage(ctx, input, { as_of, total: counted[0]?.total ?? 0, rows });
  return { ...page, items: page.items.map(toPosture) };
}

/** The projects themselves, by name or in the order of their posture: then with what this order is made of. */
export const listProjects: Handlers['projects']['list'] = async (ctx, { group, ...input }) => {
  const scope = await listScope(ctx, { group });
  if (input.sort !== 'worst') {
    const meant = ctx.tx.selectFrom('projects').where(isMeant(scope, { never_scanned: input.never_scanned }));
    return loadPage(ctx, byNameOfRow, input, meant.selectAll().select(groupOfRow));
  }
  const { items: ranked, ...page } = await pageOfPostures(ctx, scope, { ...input, sort: 'worst' });
  const ids = ranked.map(({ id }) => id);
  const own = ctx.tx.selectFrom('projects').where(isProjectOf(scope)).selectAll().select(groupOfRow);
  const rows = await own.where(sql<boolean>`id = any (${ids}::text[])`).execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  const items = ranked.map(({ id, known_exploited, highest_effective_priority, open }) => {
    const row = known.get(id);
    return row && { ...row, known_exploited, highest_effective_priority, open: inAll(open) };
  });
  return withItems(page, items);
};

/** In a query of projects alone. */
const byNameOfRow: List = {
  keys: [key(sql`lower(name)`, 'text'), key('id', 'text')],
  appeared: sql`projects.created_at`,
  changed: (since) => sql<boolean>`projects.updated_at >= ${since}`,
};

function inAll(open: ProjectPosture['open']) {
  const sum = (tier: keyof ProjectPosture['open']['code']) =>
    Object.values(open).reduce((total, counts) => total + counts[tier], 0);
  return { red: sum('red'), yellow: sum('yellow'), green: sum('green') };
}

/** `never_scanned` asks for projects in which nothing of these domains was looked at. */
const conditions: Conditions<Omit<Filters, 'sort'>> = {
  q: (part) => sql<boolean>`position(lower(${part}) in lower(name)) > 0`,
  never_scanned: (asked) => all(asked.map((domain) => sql<boolean>`not ${isLookedAt(domain)}`)),
};

function isMeant(scope: Scope, input: Sought): RawBuilder<boolean> {
  const isOfThen = isNew(byNameOfRow, input) ?? sql<boolean>`true`;
  return all([sql<boolean>`${isProjectOf(scope)}`, ...conditionsOf(conditions, input), isOfThen]);
}

const openCounts = sql`source = '' and state in ('open', 'open_acknowledged') and domain = any (${[...domains]}::text[])`;

/** What a project has been looked at with is read for the rows of the page alone; what they are ordered by, for all. */
export function projectsPage(scope: Scope, input: PageInput): RawBuilder<ProjectRow> {
  const { organisationId } = scope;
  const [ranked, list] =
    input.sort === 'name' ? [byName(scope, input), byTheirName] : [worstFirst(scope, input), byPosture];
  const { isAfter = sql`true`, order, place, limit, offset } = partsOf(list, input);
  const ofProject = sql`organisation_id = ${organisationId} and project_id = page.id`;
  const lastScan = (domain: Domain) => sql`(
    select max(at) from (values (true), (false)) as ran (hosted) cross join lateral (
      select coalesce(finished_at, queued_at) as at from scan_jobs
      where ${ofProject} and domain = ${domain} and hosted = ran.hosted and status = 'done'
      order by queued_at desc limit 1
    ) as last)`;
  return sql<ProjectRow>`
    with page as materialized (
      select ranked.id, ranked.name, ranked.exposure, row_number() over (order by ${order}) as turn, ${place}
      from (${ranked}) as ranked where ${isAfter} order by turn limit ${limit} offset ${offset}
    )
    select page.id, page.name, page.exposure, page.place,
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
    order by page.turn`;
}

const nameKeys = [key('ranked.sort_name', 'text'), key('ranked.id', 'text')];

const byTheirName: List = { keys: nameKeys, appeared: sql`ranked.created_at` };

/** The columns of `worstFirst`, in their order. */
const byPosture: List = {
  keys: [
    key('ranked.exploited', 'numeric', 'desc'),
    key('ranked.highest', 'float8', 'desc'),
    key('ranked.red', 'numeric', 'desc'),
    key('ranked.yellow', 'numeric', 'desc'),
    key('ranked.green', 'numeric', 'desc'),
    ...nameKeys,
  ],
  appeared: sql`ranked.created_at`,
};

const named = sql`id, name, exposure, created_at, lower(name) collate "C" as sort_name`;

function byName(scope: Scope, sought: Sought) {
  return sql`select ${named} from projects where ${isMeant(scope, sought)}`;
}

/** The highest EffectivePriority of open alerts. By the order of the index `alerts_worst_first`, whose first column it repeats. */
function highestPriority(organisationId: string, project: string) {
  return sql`(
    select effective_priority from alerts
    where organisation_id = ${organisationId} and project_id = ${sql.ref(project)} and ${isResolved.no}
    order by (resolved_at is not null), effective_priority desc nulls last limit 1
  )`;
}

/** Unordered. A RED or YELLOW finding without a verdict counts as in the ranking of risks, if no verdict is higher. */
function worstFirst(scope: Scope, sought: Sought) {
  const { organisationId } = scope;
  const unjudged = (tier: Tier) =>
    sql`max(${sql.lit(priorityOfTier[tier])}) filter (where tier = ${tier} and band in ('', 'unanalyzed') and count > 0)`;
  const openOf = (tier: Tier) => sql`sum(count) filter (where tier = ${tier})`;
  return sql`
    select project.*, coalesce(exploited.count, 0) as exploited,
      greatest(${highestPriority(organisationId, 'project.id')}, open.unjudged, -1) as highest,
      coalesce(open.red, 0) as red, coalesce(open.yellow, 0) as yellow, coalesce(open.green, 0) as green
    from (select ${named} from projects where ${isMeant(scope, sought)}) as project
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
    ) as open on open.project_id = project.id`;
}

function toPosture(row: Omit<ProjectRow, 'place'>): ProjectPosture {
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
