import { type RawBuilder, sql } from 'kysely';
import type { Domain } from '../../procedures/risk.js';
import { formatCount } from '../../shared/text/number-text.js';
import type { Transaction } from '../db/database.js';
import { inScope, isProjectOf, type Scope } from '../db/scope.js';

/** How much of a scope a domain has anything of. */
export interface ProjectsSearched {
  /** Projects in the scope. */
  readonly projects: number;
  /** Those with a tech stack, a finished scan, or a scanned image. */
  readonly searched: number;
  /** When the project was scanned whose last scan is the oldest; null for tech stacks, and without a scan. */
  readonly oldest: Date | null;
}

/**
 * Whether anything was looked at in each project of a scope.
 *
 * @param source a repository or site, to count its scans alone
 */
export async function projectsSearched(
  tx: Transaction,
  scope: Scope,
  domain: Domain,
  source?: string,
): Promise<ProjectsSearched> {
  const { rows } = await sql<ProjectsSearched>`
    select count(*)::integer as projects, count(looked.found)::integer as searched, min(looked.at) as oldest
    from projects left join lateral (${lastLooked(domain, source)}) as looked on true
    where ${isProjectOf(scope)}`.execute(tx);
  return rows[0] ?? { projects: 0, searched: 0, oldest: null };
}

/** The condition that something of the domain was ever looked at in a row of `projects`. */
export function isLookedAt(domain: Domain): RawBuilder<boolean> {
  return sql<boolean>`exists (${lastLooked(domain, undefined)})`;
}

/** One row for a project where something was looked at, no row otherwise. */
function lastLooked(domain: Domain, source: string | undefined): RawBuilder<unknown> {
  const ofProject = (table: string) => sql`${sql.ref(`${table}.organisation_id`)} = projects.organisation_id
    and ${sql.ref(`${table}.project_id`)} = projects.id`;
  if (domain === 'dependencies') {
    return sql`select true as found, null::timestamptz as at from tech_stack_items as item
      where ${ofProject('item')} limit 1`;
  }
  if (domain === 'containers') {
    const ofSource = source === undefined ? sql`` : sql`and image.ref = ${source}`;
    return sql`select true as found, min(scanned_at) as at from container_images as image
      where ${ofProject('image')} ${ofSource} having count(*) > 0`;
  }
  const ofSource = source === undefined ? sql`` : sql`and job.source = ${source}`;
  return sql`select true as found, coalesce(finished_at, queued_at) as at from scan_jobs as job
    where ${ofProject('job')} and domain = ${domain} and status = 'done' ${ofSource}
    order by queued_at desc limit 1`;
}

const words = {
  dependencies: { none: 'no packages are tracked', some: 'no tech stack' },
  code: { none: 'no code has been scanned', some: 'no code scan' },
  running_app: { none: 'no running application has been scanned', some: 'no scan of a running application' },
  containers: { none: 'no image has been scanned', some: 'no scanned image' },
} as const satisfies Record<Domain, unknown>;

/** Projects where nothing was looked at. */
export function projectsGap({ projects, searched }: ProjectsSearched, domain: Domain): string[] {
  if (projects === 0) return ['there is no project'];
  if (searched === 0) return [words[domain].none];
  const missing = projects - searched;
  return missing === 0
    ? []
    : [`${formatCount(missing)} of ${formatCount(projects)} projects have ${words[domain].some}`];
}

/** The ecosystems of a scope's tech stacks, sorted. */
export async function stackEcosystems<Name extends string>(
  tx: Transaction,
  scope: Scope,
  ecosystems: readonly Name[],
): Promise<Name[]> {
  const { rows } = await sql<{ name: Name }>`
    select name from unnest(${[...ecosystems]}::text[]) as asked (name)
    where exists (
      select from tech_stack_items as item
      where ${inScope(scope, 'item')} and item.ecosystem = asked.name
    )
    order by name`.execute(tx);
  return rows.map(({ name }) => name);
}

/**
 * Since when each domain of a scope is looked at: the first stack or finished scan of any of its projects. A domain where
 * nothing was looked at is missing.
 */
export async function firstLooked(tx: Transaction, scope: Scope): Promise<ReadonlyMap<Domain, Date>> {
  const { organisationId } = scope;
  const { rows } = await sql<{ readonly domain: Domain; readonly at: Date }>`
    with those as (select id from projects where ${isProjectOf(scope)})
    select 'dependencies' as domain, min(first_at) as at from those
    join stack_counts on organisation_id = ${organisationId} and project_id = those.id
    having min(first_at) is not null
    union all
    select asked.domain, min(first.at) from those
    cross join (values ('code'), ('running_app'), ('containers')) as asked (domain)
    cross join (values (true), (false)) as ran (hosted)
    cross join lateral (
      select coalesce(finished_at, queued_at) as at from scan_jobs as job
      where job.organisation_id = ${organisationId} and job.project_id = those.id and job.domain = asked.domain
        and job.hosted = ran.hosted and status = 'done'
      order by queued_at limit 1
    ) as first
    group by asked.domain`.execute(tx);
  return new Map(rows.map(({ domain, at }) => [domain, at]));
}

interface Unsearched {
  readonly images: number;
  readonly library: number;
  readonly os: number;
}

/**
 * Images of which a part was never searched, as far as dated reports show: a scan may look for packages of languages or of the
 * system alone. An image without a known system has no packages of one.
 *
 * @param ref an image, to look at it alone
 */
export async function imagePartGaps(tx: Transaction, scope: Scope, ref?: string): Promise<string[]> {
  const isUnsearched = (part: string) => sql`not exists (
    select from newest_reports as report
    where report.organisation_id = image.organisation_id and report.project_id = image.project_id
      and report.domain = 'containers' and report.source = image.ref and report.part = ${part}
      and report.scope <@ array['image', 'squashed']
  )`;
  const { rows } = await sql<Unsearched>`
    select count(*)::integer as images, count(*) filter (where ${isUnsearched('library')})::integer as library,
      count(*) filter (where os is not null and ${isUnsearched('os')})::integer as os
    from container_images as image
    where ${inScope(scope, 'image')} ${ref === undefined ? sql`` : sql`and ref = ${ref}`}`.execute(tx);
  const { images, library, os } = rows[0] ?? { images: 0, library: 0, os: 0 };
  const gap = (count: number, packages: string) =>
    count === 0
      ? []
      : [`${formatCount(count)} of ${formatCount(images)} images have no dated scan of ${packages} packages`];
  return [...gap(library, 'language'), ...gap(os, 'system')];
}
